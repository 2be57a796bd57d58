import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { problemOf } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { ContentLabel } from '../../components/content-label.tsx';
import { ProblemNotice } from '../../components/problem.tsx';
import { VirtualRows } from '../../components/virtual-rows.tsx';
import { hitAfter, linesWith } from './find-lines.ts';
import css from './log.module.css';
import { LogSearch } from './log-search.tsx';
import { type Log, useLog } from './use-log.ts';

const LINE_PX = 18;
const NEAR_PX = 200;

interface Props {
  /** Where its bytes are; it opens at its end. */
  readonly address: string;
  readonly name: string;
  /** Its end, where that is kept elsewhere: shown when the log itself is gone. */
  readonly tail?: string;
}

/** A log as it was stored: only the lines in sight are drawn, only the bytes around them are read. */
export function LogView({ address, name, tail = '' }: Props) {
  const t = useTranslations('log');
  const log = useLog(address);
  const [search, setSearch] = useState('');
  const [hit, setHit] = useState(0);
  // Counts what was asked for: lines that are read later move no one who reads.
  const [jump, setJump] = useState(0);
  const goTo = (next: number): void => {
    setHit(next);
    setJump(jump + 1);
  };
  const lines = useMemo(() => log.chunks.flatMap((chunk) => chunk.lines), [log.chunks]);
  const hits = useMemo(() => linesWith(lines, search), [lines, search]);
  const at = hits[Math.min(hit, hits.length - 1)];
  return (
    <section className={css.log} aria-label={name} aria-busy={log.isReading}>
      <header className={css.head}>
        <ContentLabel kind="log">
          <strong className={css.name}>{name}</strong>
          <Extent log={log} />
        </ContentLabel>
      </header>
      <div className={css.tools}>
        <LogSearch
          text={search}
          hits={hits.length}
          at={hits.length === 0 ? 0 : Math.min(hit, hits.length - 1) + 1}
          onText={(text) => {
            setSearch(text);
            goTo(0);
          }}
          onStep={(step) => goTo(hitAfter(hits, hit, step))}
        />
        <Button look="quiet" onClick={() => log.go('start')}>
          {t('toStart')}
        </Button>
        <Button look="quiet" onClick={() => log.go('end')}>
          {t('toEnd')}
        </Button>
        <Button look="quiet" onClick={() => void navigator.clipboard.writeText(lines.join('\n'))}>
          {t('copy')}
        </Button>
      </div>
      {log.error !== undefined && (
        <ProblemNotice
          problem={problemOf(log.error)}
          onRetry={() => (lines.length === 0 ? log.go('end') : log.read('end'))}
        />
      )}
      {log.error !== undefined && lines.length === 0 && tail !== '' && <Tail text={tail} />}
      {log.total === 0 && <p className="muted">{t('empty')}</p>}
      {lines.length > 0 && <Lines log={log} lines={lines} hit={at} jump={jump} />}
    </section>
  );
}

function Tail({ text }: { readonly text: string }) {
  const t = useTranslations('log');
  return (
    <>
      <p className="small muted">{t('tail')}</p>
      <pre className={css.tail} dir="auto">
        {text}
      </pre>
    </>
  );
}

/** How much of it is here. */
function Extent({ log: { chunks, total } }: { readonly log: Log }) {
  const t = useTranslations('log');
  const format = useFormatter();
  if (total === undefined) return null;
  const kilobytes = (bytes: number): string => format.number(bytes / 1_000, { maximumFractionDigits: 0 });
  const here = (chunks.at(-1)?.to ?? 0) - (chunks[0]?.from ?? 0);
  const all = { total: kilobytes(total) };
  return (
    <span className="small faint num">
      {here < total ? t('part', { here: kilobytes(here), ...all }) : t('all', all)}
    </span>
  );
}

interface LinesProps {
  readonly log: Log;
  readonly lines: readonly string[];
  readonly hit: number | undefined;
  readonly jump: number;
}

/** Keeps the line that one reads where it is while lines come before it. */
function useSteadyTop(box: { readonly current: HTMLElement | null }, log: Log): void {
  const before = useRef<Log['chunks']>([]);
  useLayoutEffect(() => {
    const [first] = before.current;
    const at = first ? log.chunks.indexOf(first) : -1;
    const added = log.chunks.slice(0, Math.max(0, at)).reduce((sum, { lines }) => sum + lines.length, 0);
    if (box.current && added > 0) box.current.scrollTop += added * LINE_PX;
    // Others than before: it was opened at one of its ends.
    else if (box.current && at === -1) box.current.scrollTop = log.opened === 'start' ? 0 : box.current.scrollHeight;
    before.current = log.chunks;
  }, [box, log.chunks, log.opened]);
}

function Lines({ log, lines, hit, jump }: LinesProps) {
  const t = useTranslations('log');
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: () => LINE_PX,
    overscan: 20,
  });
  useSteadyTop(box, log);
  const show = useEffectEvent(() => {
    if (hit !== undefined) virtual.scrollToIndex(hit, { align: 'center' });
  });
  useEffect(() => {
    if (jump > 0) show();
  }, [jump]);
  const lineProps = (index: number) => ({ className: css.line, 'data-hit': index === hit || undefined });
  const readNear = ({ scrollTop, scrollHeight, clientHeight }: HTMLElement): void => {
    if (scrollTop < NEAR_PX) log.read('start');
    else if (scrollHeight - scrollTop - clientHeight < NEAR_PX) log.read('end');
  };
  return (
    <div
      ref={box}
      className={css.lines}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and so has to be reached by keyboard
      tabIndex={0}
      role="log"
      aria-live="off"
      aria-label={t('lines')}
      onScroll={({ currentTarget }) => readNear(currentTarget)}
    >
      <VirtualRows list={virtual} className={css.wide} rowProps={lineProps}>
        {(index) => lines[index] || ' '}
      </VirtualRows>
    </div>
  );
}
