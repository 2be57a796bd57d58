import { isMap, isScalar, isSeq, parseDocument } from 'yaml';
import { VP_LIMITS } from './vp.ts';

/** The two parts of a markdown file that begins with `---`; both with `\n` as the end of a line. */
export interface FrontMatter {
  readonly head: string;
  readonly body: string;
}

export type YamlResult =
  | { readonly ok: true; readonly data: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly expected: string; readonly found: string };

/** Null when the text does not begin with front matter, or never ends it. */
export function splitFrontMatter(text: string): FrontMatter | null {
  const lines = text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .split('\n');
  const isFence = (line: string | undefined): boolean => line?.trimEnd() === '---';
  if (!isFence(lines[0])) return null;
  const end = lines.findIndex((line, index) => index > 0 && isFence(line));
  if (end === -1) return null;
  return { head: lines.slice(1, end).join('\n'), body: lines.slice(end + 1).join('\n') };
}

const refused = (expected: string, found: string): YamlResult => ({ ok: false, expected, found });

/** Reads front matter as a plain mapping: texts, numbers, lists and mappings, without anchors, aliases and tags. */
export function readYaml(head: string): YamlResult {
  const tooLong = new TextEncoder().encode(head).length > VP_LIMITS.frontMatterBytes;
  if (tooLong) return refused(`front matter of at most ${VP_LIMITS.frontMatterBytes} bytes`, 'more');
  try {
    const document = parseDocument(head, { prettyErrors: false, stringKeys: true });
    const [wrong] = [...document.errors, ...document.warnings];
    if (wrong) return refused('valid YAML', wrong.message.split('\n')[0] ?? 'something else');
    const data = document.contents === null ? {} : plain(document.contents, 0);
    return isRecord(data) ? { ok: true, data } : refused('keys with values', 'something else');
  } catch (error) {
    if (error instanceof Unreadable) return refused('plain lists, mappings and texts', error.message);
    if (error instanceof RangeError) return refused(PLAIN_NESTING, 'more');
    throw error;
  }
}

const MAX_DEPTH = 8;
const PLAIN_NESTING = `at most ${MAX_DEPTH} levels of nesting`;

class Unreadable extends Error {}

/** The parser's own conversion takes minutes for a few hundred nested keys, so the nodes are read here. */
function plain(node: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) throw new Unreadable(`more than ${MAX_DEPTH} levels of nesting`);
  if (node === null) return null;
  if (isScalar(node)) return typeof node.value === 'bigint' ? String(node.value) : node.value;
  if (isSeq(node)) return node.items.map((item) => plain(item, depth + 1));
  if (!isMap(node)) throw new Unreadable('an alias');
  const entries = node.items.map(({ key, value }) => [keyOf(key), plain(value, depth + 1)] as const);
  // Without a prototype `__proto__` is a key like any other.
  const record: Record<string, unknown> = Object.create(null);
  for (const [key, value] of entries) record[key] = value;
  return record;
}

function keyOf(key: unknown): string {
  const value = isScalar(key) ? key.value : key;
  if (typeof value !== 'string') throw new Unreadable('a key that is no text');
  return value;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
