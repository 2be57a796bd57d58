import { redact } from '../text/redact.ts';
import { cutBytes } from './cut.ts';
import type { Redaction } from './mainline-input.ts';
import { visible } from './untrusted.ts';

export const FAILURE_LIMITS = Object.freeze({ readChars: 16_000, bytes: 2_000 });

/** What stands for a directory of this machine. */
const HIDDEN = '[path]';

const SEGMENT = String.raw`[^\s/\\:*?"'<>|,;()[\]{}]`;
const URL = String.raw`(?!file:)\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'<>]+`;
const FILE_URL = String.raw`file:\/\/[^\s"'<>]+`;
const QUOTED = String.raw`(?<=["'])\/[^"'\n]*\/[^"'\n]*(?=["'])`;
const POSIX = String.raw`(?:(?<![\w.~/@\-])|(?<=(?:^|\s)-[A-Za-z]))\/(?:${SEGMENT}+\/)+${SEGMENT}*`;
const WINDOWS = String.raw`(?<![A-Za-z0-9])[A-Za-z]:[\\/](?:${SEGMENT}+[\\/])*${SEGMENT}*`;
const UNC = String.raw`\\\\${SEGMENT}+\\(?:${SEGMENT}+\\)*${SEGMENT}*`;
const PATHS = new RegExp(`(?<url>${URL})|${FILE_URL}|${QUOTED}|${POSIX}|${WINDOWS}|${UNC}`, 'gim');

/**
 * An error as a model may see it (V35): secrets replaced by spans, paths of this machine hidden but for the name of the
 * file, at most 2,000 bytes. Paths beneath `roots` become relative. Hashes and the rest of the text stay.
 */
export function failureText(text: string, redaction: Redaction): string {
  const read = redact(text.slice(0, FAILURE_LIMITS.readChars), redaction.secrets);
  return cutBytes(visible(hidePaths(read, redaction.roots)), FAILURE_LIMITS.bytes);
}

/** Also for a text that is shown by its end: the caller bounds it. */
export function hidePaths(text: string, roots: readonly string[]): string {
  const longestFirst = roots.filter((root) => root.length > 1).toSorted((a, b) => b.length - a.length);
  const relative = longestFirst.reduce(withoutRoot, text);
  return relative.replace(PATHS, (...match) => {
    const groups: unknown = match.at(-1);
    return isUrl(groups) ? match[0] : hidden(match[0]);
  });
}

const isUrl = (groups: unknown): boolean =>
  typeof groups === 'object' && groups !== null && 'url' in groups && groups.url !== undefined;

function withoutRoot(text: string, root: string): string {
  const bare = root.replace(/[/\\]+$/, '');
  const parts = text.split(bare);
  // A longer name that only begins or ends like the root is another directory.
  return parts.reduce((done, part) => {
    if (/[\w.~-]$/.test(done)) return `${done}${bare}${part}`;
    if (/^[/\\]/.test(part)) return done + (/^[/\\][^\s"')]/.test(part) ? part.slice(1) : `.${part.slice(1)}`);
    return /^[\w.-]*\w/.test(part) ? `${done}${bare}${part}` : `${done}.${part}`;
  });
}

/** The last name of a deep path says what the error is about; a shallow one may be somebody's home. */
function hidden(path: string): string {
  const names = path
    .replace(/^file:/i, '')
    .split(/[/\\]+/)
    .filter((name) => name !== '' && !/^[A-Za-z]:$/.test(name));
  const last = names.at(-1);
  return names.length > 2 && last !== undefined ? `${HIDDEN}/${last}` : HIDDEN;
}
