import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useDeferredValue, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { useLocation, useSearchParams } from 'wouter';
import type { Lane, LaneCounts } from '../../../src/client/index.ts';
import { countsIn, countsQuery, facetsQuery } from '../api/queries.ts';
import { Button } from '../components/button.tsx';
import { Kbd } from '../components/kbd.tsx';
import { nameOfDirectory } from '../components/values.tsx';
import { useNarrow } from '../shell/narrow.ts';
import { PageTitle } from '../shell/page-title.tsx';
import { useShortcuts } from '../shell/shortcuts.ts';
import css from './board.module.css';
import { EmptyBoard } from './empty-board.tsx';
import { LaneColumn } from './lane-column.tsx';
import { LaneTabs } from './lane-tabs.tsx';

const LANES: readonly Lane[] = ['needs_you', 'active', 'done'];

/**
 * All work by what it needs: you, time, or nothing. The address holds search, filter and the lane of a narrow page, so
 * Back and reload keep them.
 */
export function BoardPage() {
  const [parameters, setParameters] = useSearchParams();
  const t = useTranslations('board');
  const narrow = useNarrow();
  const counts = useQuery(countsQuery).data;
  const search = useDeferredValue(parameters.get('q') ?? '');
  const directory = parameters.get('directory') ?? '';
  const lanes: readonly Lane[] = (counts?.draft ?? 0) > 0 ? [...LANES, 'draft'] : LANES;
  const tab = lanes.find((lane) => lane === parameters.get('lane')) ?? 'needs_you';
  const ofDirectory = useQuery(countsIn(directory)).data;
  const set = (name: string, value: string): void =>
    setParameters(
      (before) => {
        const next = new URLSearchParams(before);
        if (value === '') next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  return (
    <div className={css.page}>
      <PageTitle name={t('title')} />
      <BoardHead search={parameters.get('q') ?? ''} directory={directory} set={set} />
      {isNothing(counts) ? (
        <EmptyBoard />
      ) : isNothing(ofDirectory) ? (
        <NothingThere directory={directory} onAll={() => set('directory', '')} />
      ) : narrow ? (
        <LaneTabs lanes={lanes} counts={ofDirectory} shown={tab} onShow={(lane) => set('lane', lane)}>
          <LaneColumn key={tab} lane={tab} filter={{ search, directory }} titled={false} />
        </LaneTabs>
      ) : (
        <div className={css.lanes} data-lanes={lanes.length}>
          {lanes.map((lane) => (
            <LaneColumn key={lane} lane={lane} filter={{ search, directory }} titled />
          ))}
        </div>
      )}
    </div>
  );
}

const isNothing = (counts: LaneCounts | undefined): boolean =>
  counts !== undefined && Object.values(counts).every((count) => count === 0);

/** An address may name a directory of which there is no work, or none any more. */
function NothingThere({ directory, onAll }: { readonly directory: string; readonly onAll: () => void }) {
  const t = useTranslations('board');
  return (
    <section className={css.empty} role="status">
      <h2>{t('noneThere')}</h2>
      <p className="muted" dir="auto">
        {directory}
      </p>
      <p>
        <Button onClick={onAll}>{t('showAll')}</Button>
      </p>
    </section>
  );
}

interface HeadProps {
  readonly search: string;
  readonly directory: string;
  readonly set: (name: string, value: string) => void;
}

function BoardHead({ search, directory, set }: HeadProps) {
  const t = useTranslations('board');
  const [, navigate] = useLocation();
  const input = useRef<HTMLInputElement>(null);
  const facets = useQuery(facetsQuery).data;
  useShortcuts({ search: () => input.current?.focus() });
  const known = (facets?.directories ?? []).map((each) => each.directory);
  // What is asked for is shown as such, also where nothing is of it, or too many others are.
  const directories = directory === '' || known.includes(directory) ? known : [directory, ...known];
  return (
    <header className={css.head}>
      <h1>{t('title')}</h1>
      <label className={css.search}>
        <span className="sr-only">{t('search')}</span>
        <input
          ref={input}
          type="search"
          value={search}
          placeholder={t('search')}
          maxLength={200}
          onChange={(event) => set('q', event.target.value)}
        />
        <Kbd keys="/" />
      </label>
      {(directories.length > 1 || directory !== '') && (
        <label className={css.filter}>
          <span className="sr-only">{t('directory')}</span>
          <select value={directory} onChange={(event) => set('directory', event.target.value)}>
            <option value="">{t('allDirectories')}</option>
            {directories.map((each) => (
              <option key={each} value={each} title={each}>
                {nameOfDirectory(each)}
              </option>
            ))}
          </select>
        </label>
      )}
      <Button
        look="primary"
        className={css.new ?? ''}
        icon={<Plus size={15} aria-hidden />}
        onClick={() => navigate('/new')}
      >
        {t('new')} <Kbd keys="n" />
      </Button>
    </header>
  );
}
