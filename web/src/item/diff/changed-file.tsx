import { useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef } from 'react';
import { useTranslations } from 'use-intl';
import type { ChangedFile } from '../../../../src/client/index.ts';
import { problemOf } from '../../api/client.ts';
import { ContentLabel } from '../../components/content-label.tsx';
import { CopyId } from '../../components/copy-id.tsx';
import { ProblemNotice } from '../../components/problem.tsx';
import { VirtualRows } from '../../components/virtual-rows.tsx';
import { Loading } from '../../shell/loading.tsx';
import css from './diff.module.css';
import { PathName } from './file-row.tsx';
import { PlainText } from './line-text.tsx';
import { changedFileQuery } from './queries.ts';
import type { DiffSource } from './source.ts';

const LINE_PX = 20;
const OVERSCAN_ROWS = 30;

interface Props {
  readonly source: DiffSource;
  readonly path: string;
  readonly side: 'before' | 'after';
}

/** A file of the diff as it stood at one of its commits, to read around what changed. */
export function ChangedFileView({ source, path, side }: Props) {
  const { data: file, error, refetch } = useQuery(changedFileQuery(source, path, side));
  if (error && !file) {
    return (
      <div className={css.empty}>
        <ProblemNotice problem={problemOf(error)} onRetry={() => void refetch()} />
      </div>
    );
  }
  if (!file) return <Loading />;
  return (
    <>
      <p className={`${css.head} ${css.row}`}>
        <ContentLabel kind="snapshot">
          <CopyId id={file.commit.slice(0, 12)} />
        </ContentLabel>
        <PathName path={file.path} />
      </p>
      <FileBody file={file} />
    </>
  );
}

/** What there is to see of a file. */
export function FileBody({ file }: { readonly file: Omit<ChangedFile, 'commit'> }) {
  const t = useTranslations('diff.states');
  const { state, text, bytes } = file;
  if (state === 'text' && text !== null && text !== '') return <TextLines path={file.path} text={text} />;
  return (
    <div className={css.empty}>
      <p>{state === 'text' ? t('empty') : t(state, { bytes: bytes ?? 0 })}</p>
      {text !== null && text !== '' && <code>{text}</code>}
    </div>
  );
}

function TextLines({ path, text }: { readonly path: string; readonly text: string }) {
  const lines = useMemo(() => text.replace(/\n$/, '').split('\n'), [text]);
  const scroller = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_PX,
    overscan: OVERSCAN_ROWS,
  });
  return (
    <section
      ref={scroller}
      className={css.list}
      aria-label={path}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys
      tabIndex={0}
    >
      <VirtualRows list={list} rowProps={() => ({ className: css.plain })}>
        {(index) => (
          <>
            <span>{index + 1}</span>
            <code>
              <PlainText text={lines[index] ?? ''} />
            </code>
          </>
        )}
      </VirtualRows>
    </section>
  );
}
