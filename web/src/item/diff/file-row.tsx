import { ChevronDown, ChevronRight } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Link } from 'wouter';
import { Tag } from '../../components/tag.tsx';
import css from './diff.module.css';
import type { DiffFile } from './diff-data.ts';
import { type DiffSource, hrefOf } from './source.ts';

/** How much of a file changed, with signs that do not need colours. */
export function Counts({ added, removed }: Pick<DiffFile, 'added' | 'removed'>) {
  return (
    <span className={`num ${css.counts}`}>
      <span className={css.plus}>+{added}</span> <span className={css.minus}>−{removed}</span>
    </span>
  );
}

/** The directory steps back, the name stands out. */
export function PathName({ path }: { readonly path: string }) {
  const cut = path.lastIndexOf('/') + 1;
  return (
    <bdi className={css.path} title={path}>
      <span className="muted">{path.slice(0, cut)}</span>
      <strong>{path.slice(cut)}</strong>
    </bdi>
  );
}

interface Props {
  readonly file: DiffFile;
  readonly source: DiffSource;
  readonly isCollapsed: boolean;
  readonly onToggle: (file: DiffFile) => void;
  /** It is there for the eye only, above the list: the row itself is what keys and readers find. */
  readonly isEcho?: boolean;
}

/** The head of a file: opens and closes it, leads to what it was and what it is. */
export function FileRow({ file, source, isCollapsed, onToggle, isEcho = false }: Props) {
  const t = useTranslations('diff');
  const { path, facts } = file;
  const Chevron = isCollapsed ? ChevronRight : ChevronDown;
  const tab = isEcho ? { tabIndex: -1 } : {};
  const isText = !facts.includes('binary') && !facts.includes('submodule');
  return (
    <div className={css.file} aria-hidden={isEcho || undefined}>
      <button
        type="button"
        className={css.fileButton}
        aria-expanded={!isCollapsed}
        aria-label={t(isCollapsed ? 'expand' : 'collapse', { path })}
        onClick={() => onToggle(file)}
        {...tab}
      >
        <Chevron size={16} aria-hidden />
        <PathName path={path} />
      </button>
      {facts.includes('added') && <Tag>{t('facts.added')}</Tag>}
      {facts.includes('deleted') && <Tag>{t('facts.deleted')}</Tag>}
      {file.hunks.length > 0 && <Counts added={file.added} removed={file.removed} />}
      {isText && (
        <span className={css.fileLinks}>
          {!facts.includes('added') && source.isLive !== true && (
            <Link href={hrefOf(source, { path, view: 'before' })} {...tab}>
              {t('before')}
            </Link>
          )}
          {!facts.includes('deleted') && (
            <Link href={hrefOf(source, { path, view: 'after' })} {...tab}>
              {t(source.isLive === true ? 'now' : 'after')}
            </Link>
          )}
        </span>
      )}
    </div>
  );
}

const SAID_ABOVE = new Set(['added', 'deleted', 'renamed']);

/** What cannot be seen in lines, in words. */
export function NoteRow({ file }: { readonly file: DiffFile }) {
  const t = useTranslations('diff.facts');
  const { facts, modes, oldPath, unended, hunks } = file;
  const said = [
    ...(oldPath === null ? [] : [t('renamed', { from: oldPath })]),
    ...(modes === null ? [] : [t('mode', { old: modes[0], now: modes[1] })]),
    ...facts.flatMap((fact) => (SAID_ABOVE.has(fact) ? [] : [t(fact as 'binary')])),
    ...(unended.old && !unended.now ? [t('gainsEnd')] : []),
    ...(unended.now && !unended.old ? [t('losesEnd')] : []),
    ...(hunks.length === 0 && !facts.includes('binary') ? [t('noLines')] : []),
  ];
  return (
    <p className={css.note} dir="auto">
      {said.join(' · ')}
    </p>
  );
}
