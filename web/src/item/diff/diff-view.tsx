import { useMemo, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Link } from 'wouter';
import type { Diff, Item } from '../../../../src/client/index.ts';
import { Button } from '../../components/button.tsx';
import { useNarrow } from '../../shell/narrow.ts';
import { recall, remember } from '../../shell/remember.ts';
import css from './diff.module.css';
import { DiffList, type DiffListHandle } from './diff-list.tsx';
import { FileList } from './file-list.tsx';
import { LineTalkContext, talkedLines, useLineTalkOf } from './line-talk-context.ts';
import { LostDrafts } from './lost-drafts.tsx';
import { rowsOf } from './rows.ts';
import { type DiffSource, hrefOf } from './source.ts';
import { useParsed } from './use-parsed.ts';

interface Props {
  readonly item: Item;
  readonly source: DiffSource;
  readonly diff: Diff;
  readonly ignoreWhitespace: boolean;
  readonly onIgnore: (isIgnored: boolean) => void;
}

/** In no line of a text file. */
const BETWEEN = '\0';

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

/** All that changed, to be read from top to bottom or jumped through. */
export function DiffView({ item, source, diff, ignoreWhitespace, onIgnore }: Props) {
  const narrow = useNarrow();
  const [wantsSplit, setSplit] = useState(() => recall('diffView') === 'split');
  const [filesOpen, setFilesOpen] = useState(false);
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set());
  const { files, done } = useParsed(diff.text, diff.truncated);
  const talk = useLineTalkOf(item, source);
  // The same lines are the same set, or every key that is pressed in a comment would make 40,000 rows anew.
  const keys = talkedLines(talk).join(BETWEEN);
  const talked = useMemo(() => new Set(keys === '' ? [] : keys.split(BETWEEN)), [keys]);
  const isSplit = wantsSplit && !narrow;
  const rows = useMemo(() => rowsOf(files, { isSplit, collapsed, talked }), [files, isSplit, collapsed, talked]);
  const list = useRef<DiffListHandle>(null);
  const toggle = (path: string): void => {
    const next = new Set(collapsed);
    if (!next.delete(path)) next.add(path);
    setCollapsed(next);
  };
  const choose = (split: boolean): void => {
    setSplit(split);
    remember('diffView', split ? 'split' : 'unified');
  };
  const isAllCollapsed = files.length > 0 && collapsed.size >= files.length;
  return (
    <LineTalkContext value={talk}>
      <Bar
        {...{ files, done, filesOpen, isSplit, isAllCollapsed, ignoreWhitespace, onIgnore }}
        onFiles={() => setFilesOpen(!filesOpen)}
        {...(narrow ? {} : { onSplit: choose })}
        onCollapseAll={() => setCollapsed(new Set(isAllCollapsed ? [] : files.map(({ path }) => path)))}
      />
      {filesOpen && <FileList files={files} onJump={(path) => list.current?.goTo(path)} />}
      {diff.omitted.length > 0 && <Omitted source={source} paths={diff.omitted} />}
      {done && <LostDrafts files={files} />}
      <DiffList ref={list} itemId={item.id} {...{ source, files, rows, collapsed }} onToggle={toggle} />
    </LineTalkContext>
  );
}

interface BarProps extends Pick<Props, 'ignoreWhitespace' | 'onIgnore'> {
  readonly files: ReturnType<typeof useParsed>['files'];
  readonly done: boolean;
  readonly filesOpen: boolean;
  readonly isSplit: boolean;
  readonly isAllCollapsed: boolean;
  readonly onFiles: () => void;
  /** There is no room for it on narrow screens. */
  readonly onSplit?: (split: boolean) => void;
  readonly onCollapseAll: () => void;
}

function Bar({ files, done, filesOpen, isSplit, isAllCollapsed, onFiles, onSplit, onCollapseAll, ...space }: BarProps) {
  const t = useTranslations('diff');
  const [added, removed] = [sum(files.map((file) => file.added)), sum(files.map((file) => file.removed))];
  return (
    <div className={`${css.head} ${css.row}`}>
      <span className="num muted" role="status">
        {done ? t('summary', { files: files.length, added, removed }) : t('reading', { files: files.length })}
      </span>
      <span className={css.push} />
      <Button className={css.toggle ?? ''} aria-expanded={filesOpen} onClick={onFiles}>
        {t('files')}
      </Button>
      {onSplit && (
        <Button className={css.toggle ?? ''} aria-pressed={isSplit} onClick={() => onSplit(!isSplit)}>
          {t('split')}
        </Button>
      )}
      <Button
        className={css.toggle ?? ''}
        aria-pressed={space.ignoreWhitespace}
        onClick={() => space.onIgnore(!space.ignoreWhitespace)}
      >
        {t('whitespace')}
      </Button>
      <Button look="quiet" onClick={onCollapseAll}>
        {t(isAllCollapsed ? 'expandAll' : 'collapseAll')}
      </Button>
    </div>
  );
}

const MOST_SHOWN = 100;

/** Files that the server left out, each a click away. */
function Omitted({ source, paths }: { readonly source: DiffSource; readonly paths: readonly string[] }) {
  const t = useTranslations('diff');
  return (
    <div className={css.omitted}>
      <p>{t('omitted', { n: paths.length })}</p>
      <ul>
        {paths.slice(0, MOST_SHOWN).map((path) => (
          <li key={path}>
            <Link href={hrefOf(source, { path, view: 'only' })}>{path}</Link>
          </li>
        ))}
      </ul>
      {paths.length > MOST_SHOWN && <p>{t('omittedMore')}</p>}
    </div>
  );
}
