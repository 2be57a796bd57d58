import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { useParams, useSearchParams } from 'wouter';
import type { Vp, VpPage } from '../../../src/client/index.ts';
import { problemOf } from '../api/client.ts';
import { facetsQuery } from '../api/queries.ts';
import { ListBeside, RowHead, RowLink } from '../components/list-beside.tsx';
import { ProblemNotice } from '../components/problem.tsx';
import { nameOfDirectory } from '../components/values.tsx';
import { useNarrow } from '../shell/narrow.ts';
import { ShownInstead } from '../shell/not-found.tsx';
import { PageTitle } from '../shell/page-title.tsx';
import { vpsQuery } from './queries.ts';
import { VpDetail } from './vp-detail.tsx';
import css from './vps.module.css';

/** Who carries out Actions, where each comes from, and what it is told. */
export function VpsPage() {
  const t = useTranslations('vps');
  const { id } = useParams();
  const [parameters] = useSearchParams();
  const directory = parameters.get('directory') ?? '';
  const { data, error, refetch } = useQuery({ ...vpsQuery(directory), staleTime: 0 });
  const narrow = useNarrow();
  const chosen = data?.vps.find((vp) => vp.id === id);
  // Where there is room beside the list it is not left empty.
  const shown = chosen ?? (narrow ? undefined : data?.vps[0]);
  const list = (page: VpPage) => (
    <>
      <VpList vps={page.vps} shown={shown?.id} query={parameters.toString()} />
      <Problems page={page} />
    </>
  );
  return (
    <div className={css.page}>
      <PageTitle name={t('title')} />
      <header className={css.head}>
        <h1>{t('title')}</h1>
        <Projects directory={directory} />
        <p className={`small muted ${css.intro}`}>
          {t('intro')} {t('how')}
        </p>
      </header>
      {error && (
        <div className={css.trouble}>
          <ProblemNotice problem={problemOf(error)} onRetry={() => void refetch()} />
        </div>
      )}
      {data && id !== undefined && !chosen && (
        <div className={css.trouble}>
          <ShownInstead />
        </div>
      )}
      {!data && !error && <div className={css.skeleton} aria-busy="true" />}
      {data && (
        <ListBeside list={narrow && chosen ? undefined : list(data)}>
          {shown && <VpDetail vp={shown} hides={data.hidden.filter((other) => other.id === shown.id)} />}
        </ListBeside>
      )}
    </div>
  );
}

function Projects({ directory }: { readonly directory: string }) {
  const t = useTranslations('vps');
  const [, setParameters] = useSearchParams();
  const directories = useQuery(facetsQuery).data?.directories ?? [];
  if (directories.length === 0) return null;
  return (
    <label className={css.project}>
      <span className="sr-only">{t('project')}</span>
      <select
        value={directory}
        onChange={(event) => setParameters(event.target.value === '' ? {} : { directory: event.target.value })}
      >
        <option value="">{t('noProject')}</option>
        {directories.map((each) => (
          <option key={each.directory} value={each.directory} title={each.directory}>
            {nameOfDirectory(each.directory)}
          </option>
        ))}
      </select>
    </label>
  );
}

interface ListProps {
  readonly vps: readonly Vp[];
  readonly shown: string | undefined;
  readonly query: string;
}

function VpList({ vps, shown, query }: ListProps) {
  const t = useTranslations('vps');
  return (
    <ul aria-label={t('list')}>
      {vps.map((vp) => (
        <li key={vp.id}>
          <RowLink href={`/vps/${vp.id}${query === '' ? '' : `?${query}`}`} isChosen={vp.id === shown}>
            <RowHead>
              <strong dir="auto">{vp.name}</strong>
              <span className="small muted">{t(`source.${vp.source}`)}</span>
            </RowHead>
            <span className="small muted clamp2" dir="auto">
              {vp.role}
            </span>
          </RowLink>
        </li>
      ))}
    </ul>
  );
}

function Problems({ page: { problems } }: { readonly page: VpPage }) {
  const t = useTranslations('vps');
  if (problems.length === 0) return null;
  return (
    <section className={css.problems}>
      <h3>{t('problems')}</h3>
      <ul>
        {problems.map((problem) => (
          <li key={problem} dir="auto">
            {problem}
          </li>
        ))}
      </ul>
    </section>
  );
}
