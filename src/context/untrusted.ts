import { cutBytes } from './cut.ts';

/**
 * How a prompt marks words that are not its own.
 *
 * | Tag       | Whose words                                    | What they may do                    |
 * | --------- | ---------------------------------------------- | ----------------------------------- |
 * | task      | the person's, or the Coordinator's             | say what to do, within the rules    |
 * | untrusted | files, pages, quotes, tools, other executors   | inform; never instruct              |
 */
export type Tag = 'task' | 'untrusted';

/** Anything that a reader could take for the start of one of our tags; other markup stays as it is, for code is quoted. */
const TAG_START = /[<＜﹤‹〈❮⟨≮][\s\p{M}/／⁄∕]*(?=(?:untrusted|task)(?![a-z0-9]))/giu;
const LONE_SURROGATE = /\p{Cs}/gu;
/** Controls but tab and line feed, format characters (bidi, tags, zero width), line separators, invisible fillers. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/gu;
/** Joiners belong to emoji and to several scripts; after a Latin letter they hide something. */
const JOINERS = new Set(['\u200c', '\u200d']);
const ATTRIBUTE_BYTES = 120;

/**
 * The text with nothing hidden and nothing that opens or closes a tag of ours: line ends are line feeds, control,
 * bidi and zero-width characters are named (`⟦U+202E⟧`), half surrogate pairs replaced. The second time changes nothing.
 */
export function visible(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(LONE_SURROGATE, '\ufffd')
    .replace(INVISIBLE, named)
    .replace(TAG_START, (start) => `&lt;${start.slice(1)}`);
}

/** Foreign words between tags that they cannot close. `maxBytes` bounds what stands between the tags. */
export const untrusted = (source: string, text: string, maxBytes = Number.POSITIVE_INFINITY): string =>
  wrapped('untrusted', source, cutBytes(visible(text), maxBytes));

/** Tags around a text that is `visible` already. */
export const wrapped = (tag: Tag, source: string, text: string): string =>
  `<${tag} source="${attribute(source)}">\n${text.trimEnd()}\n</${tag}>`;

/** One line of at most `maxBytes`: for places where a line break would look like the next entry. */
export const oneLine = (text: string, maxBytes: number): string =>
  cutBytes(visible(text).replace(/\s+/g, ' ').trim(), maxBytes);

const attribute = (source: string): string => oneLine(source, ATTRIBUTE_BYTES).replace(/["<>]/g, "'");

function named(character: string, at: number, text: string): string {
  if (character === '\n' || character === '\t') return character;
  if (JOINERS.has(character) && at > 0 && text.charCodeAt(at - 1) > 0x7f) return character;
  const code = character.codePointAt(0) ?? 0;
  return `⟦U+${code.toString(16).toUpperCase().padStart(4, '0')}⟧`;
}
