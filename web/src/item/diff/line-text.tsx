import { memo } from 'react';
import { useTranslations } from 'use-intl';
import type { DiffFile, DiffLine } from './diff-data.ts';
import css from './diff-line.module.css';
import { wordsWithin } from './words-within.ts';

/** A line of a megabyte is no line for people; what is cut is told. */
const MOST_CHARS = 2_000;

/** Marks that turn the direction are said, not obeyed: the eye must see what the machine reads. */
const told = (text: string): string =>
  text.replace(/[\u202a-\u202e\u2066-\u2069]/g, (mark) => `[U+${mark.charCodeAt(0).toString(16).toUpperCase()}]`);

/** The end of lines of Windows is invisible and yet may be all that changed. */
function withoutEnd(text: string): readonly [text: string, end: string] {
  return text.endsWith('\r') ? [text.slice(0, -1), '\\r'] : [text, ''];
}

/** Text of a file as it is, capped. */
export function PlainText({ text }: { readonly text: string }) {
  const t = useTranslations('diff');
  const [shown, end] = withoutEnd(text);
  const more = shown.length - MOST_CHARS;
  return (
    <>
      {told(more > 0 ? shown.slice(0, MOST_CHARS) : shown)}
      {more > 0 && <span className="faint">{t('moreChars', { n: more })}</span>}
      {end !== '' && <span className="faint">{end}</span>}
    </>
  );
}

interface Props {
  readonly file: DiffFile;
  readonly line: DiffLine;
}

/** The text of a line, and in a changed one the words that are others. Only made for lines that are in sight. */
export const LineText = memo(function LineText({ file, line }: Props) {
  const segments = line.partner < 0 ? undefined : wordsWithin(file, line);
  if (!segments) return <PlainText text={line.text} />;
  let at = 0;
  return segments.map(({ text, isChanged }) => {
    const key = at;
    at += text.length;
    return isChanged ? (
      <mark key={key} className={css.word}>
        {told(text)}
      </mark>
    ) : (
      <span key={key}>{told(text)}</span>
    );
  });
});
