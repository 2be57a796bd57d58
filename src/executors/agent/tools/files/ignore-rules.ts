import ignore, { type Ignore } from 'ignore';

const MAX_RULE_CHARS = 1_000;
const MAX_RULES = 2_000;
/** More wildcards than this in one name, or `**` in one rule, can take for ever to try; such rules are left out. */
const MAX_WILDCARDS = 3;

/** The `.gitignore` files from the top of a walk down to one folder, the nearest first. */
export interface IgnoreRules {
  readonly rules: Ignore;
  /** Folder of the file, relative to the top of the workspace with a slash at its end; empty for the top. */
  readonly base: string;
  readonly outer: IgnoreRules | undefined;
}

/** The rules of one more `.gitignore`. It is untrusted: it may be wrong, but it may not stop the engine. */
export function addRules(text: string, base: string, outer: IgnoreRules | undefined): IgnoreRules {
  const lines = text.split(/\r?\n/).filter(isHarmless).slice(0, MAX_RULES);
  return { rules: ignore({ allowRelativePaths: true, ignorecase: false }).add(lines), base, outer };
}

/** True when git would not look at the path; the nearest file that says anything decides. Folders end with a slash. */
export function isIgnored(path: string, rules: IgnoreRules | undefined): boolean {
  for (let level = rules; level !== undefined; level = level.outer) {
    const verdict = level.rules.test(path.slice(level.base.length));
    if (verdict.ignored) return true;
    if (verdict.unignored) return false;
  }
  return false;
}

function isHarmless(rule: string): boolean {
  if (rule.length > MAX_RULE_CHARS) return false;
  const parts = rule.split('/');
  const deep = parts.filter((part) => part.includes('**')).length;
  return deep <= MAX_WILDCARDS && parts.every((part) => (part.match(/\*+/g)?.length ?? 0) <= MAX_WILDCARDS);
}
