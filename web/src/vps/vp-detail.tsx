import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Link } from 'wouter';
import type { Vp, VpPage } from '../../../src/client/index.ts';
import { CopyId } from '../components/copy-id.tsx';
import { Tag } from '../components/tag.tsx';
import css from './vps.module.css';

type Hidden = VpPage['hidden'][number];

/** One VP: what it is for, what it works with, and what it is told. */
export function VpDetail({ vp, hides }: { readonly vp: Vp; readonly hides: readonly Hidden[] }) {
  const t = useTranslations();
  return (
    <article className={css.detail} aria-labelledby="vp-name">
      <Link href="/vps" className={css.back}>
        <ArrowLeft size={16} aria-hidden /> {t('common.back')}
      </Link>
      <header>
        <h2 id="vp-name" dir="auto">
          {vp.name}
        </h2>
        <p className="muted" dir="auto">
          {vp.role}
        </p>
      </header>
      <Facts vp={vp} hides={hides} />
      <h3>{t('vps.persona')}</h3>
      {vp.persona.trim() === '' ? (
        <p className="muted">{t('vps.noPersona')}</p>
      ) : (
        <pre className={css.persona} dir="auto">
          {vp.persona.trim()}
        </pre>
      )}
    </article>
  );
}

function Facts({ vp, hides }: { readonly vp: Vp; readonly hides: readonly Hidden[] }) {
  const t = useTranslations('vps');
  return (
    <dl className={css.facts}>
      <Fact name={t('goodAt')}>
        <Tags words={vp.capabilities} />
      </Fact>
      {vp.traits.length > 0 && (
        <Fact name={t('traits')}>
          <Tags words={vp.traits} />
        </Fact>
      )}
      <Fact name={t('model')}>
        {vp.model === null ? t('byType') : <code>{vp.model}</code>}
        {vp.effort !== null && <span className="muted"> · {t('effort', { effort: vp.effort })}</span>}
      </Fact>
      <Fact name={t('tools')}>{vp.tools === null ? t('allTools') : <Tags words={vp.tools} />}</Fact>
      <Fact name={t('executor')}>{vp.executor}</Fact>
      <Fact name={t('file')}>{vp.file === null ? t(`source.${vp.source}`) : <CopyId id={vp.file} />}</Fact>
      {hides.length > 0 && (
        <Fact name={t('hides')}>
          {hides.map(({ id, source, file }) => t('hidesOne', { id: file ?? id, source: nameOf(source, t) })).join(', ')}
        </Fact>
      )}
    </dl>
  );
}

const SOURCES = ['built-in', 'user', 'project', 'claude-agents'] as const;

function nameOf(source: string, t: ReturnType<typeof useTranslations<'vps'>>): string {
  const known = SOURCES.find((each) => each === source);
  return known ? t(`source.${known}`) : source;
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const Tags = ({ words }: { readonly words: readonly string[] }) => (
  <span className={css.tags}>
    {words.map((word) => (
      <Tag key={word}>{word}</Tag>
    ))}
  </span>
);
