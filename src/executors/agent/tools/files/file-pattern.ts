import picomatch from 'picomatch';
import { type Checked, found, problem, quote } from '../../path-safety.ts';
import type { Pattern } from './guarded-regexp.ts';

const MAX_PATTERN_CHARS = 500;
const OPTIONS = { dot: true, noextglob: true, nonegate: true } as const;

/** A file pattern as a regular expression for paths below the start (T14). It may be slow: test it guarded. */
export function filePattern(pattern: string): Checked<Pattern> {
  if (pattern.trim() === '' || pattern.length > MAX_PATTERN_CHARS) {
    return problem('bad_path', `Expected a pattern of 1 to ${MAX_PATTERN_CHARS} characters, such as **/*.ts.`);
  }
  if (pattern.startsWith('/') || pattern.split('/').includes('..')) {
    const advice = 'Give the folder as `path` and a pattern that starts there.';
    return problem('outside_workspace', `Expected a pattern below the folder, found ${quote(pattern)}. ${advice}`);
  }
  const { source, flags } = picomatch.makeRe(pattern.replace(/^(\.\/)+/, ''), OPTIONS);
  return found({ source, flags });
}
