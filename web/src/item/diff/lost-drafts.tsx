import { useTranslations } from 'use-intl';
import type { Item } from '../../../../src/client/index.ts';
import css from './diff.module.css';
import type { DiffFile } from './diff-data.ts';
import { LineComposer } from './line-composer.tsx';
import { LineTalkContext, useLineTalk, useLineTalkOf } from './line-talk-context.ts';
import { keyOfLine, quoteOfKey } from './place.ts';
import type { DiffSource } from './source.ts';

const isIn = (files: readonly DiffFile[], key: string): boolean => {
  const { from } = quoteOfKey(key);
  return files.some(
    (file) => from.startsWith(`${file.path}:`) && file.lines.some((line) => keyOfLine(file, line) === key),
  );
};

/** What was written about lines that have changed since: it can still be sent, with the line as it was. */
export function LostDrafts({ files }: { readonly files: readonly DiffFile[] }) {
  const t = useTranslations('diff');
  const { drafts } = useLineTalk();
  const lost = Object.keys(drafts).filter((key) => drafts[key] !== '' && !isIn(files, key));
  if (lost.length === 0) return null;
  return (
    <details className={css.omitted}>
      <summary>{t('lostDrafts', { n: lost.length })}</summary>
      {lost.map((key) => (
        <div key={key} className={css.lostDraft}>
          <code>{quoteOfKey(key).text}</code>
          <LineComposer lineKey={key} />
        </div>
      ))}
    </details>
  );
}

interface AllProps {
  readonly item: Item;
  readonly source: DiffSource;
}

/** Where there is no line at all, everything that was written about lines is there all the same. */
export function AllDraftsLost({ item, source }: AllProps) {
  return (
    <LineTalkContext value={useLineTalkOf(item, source)}>
      <LostDrafts files={[]} />
    </LineTalkContext>
  );
}
