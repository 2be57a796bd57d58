import ignore, { type Ignore } from 'ignore';

const MAX_RULE_CHARS = 1_000;
const MAX_RULES = 2_000;
/** Trying a rule with more `**` than this takes for ever in a deep folder. */
const MAX_DEEP = 3;
/** Rules with several `**` on the way from the top to a folder: each costs milliseconds a file. */
const MAX_COSTLY = 20;

/** The `.gitignore` files from the top of a walk down to one folder, the nearest first. */
export interface IgnoreRules {
  readonly rules: Ignore;
  /** Folder of the file, relative to the top of the workspace with a slash at its end; empty for the top. */
  readonly base: string;
  readonly outer: IgnoreRules | undefined;
  /** How many costly rules it and the outer ones hold. */
  readonly costly: number;
}

/**
 * The rules of one more `.gitignore`. It is untrusted: it may be wrong, but it may not stop the engine, so rules that
 * would take too long are left out.
 */
export function addRules(text: string, base: string, outer: IgnoreRules | undefined): IgnoreRules {
  let costly = outer?.costly ?? 0;
  const lines = text.split(/\r?\n/, MAX_RULES).filter((rule) => {
    const deep = rule.split('**').length - 1;
    if (rule.length > MAX_RULE_CHARS || deep > MAX_DEEP) return false;
    if (deep > 1) costly += 1;
    return deep <= 1 || costly <= MAX_COSTLY;
  });
  return { rules: ignore({ allowRelativePaths: true, ignorecase: false }).add(lines), base, outer, costly };
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
