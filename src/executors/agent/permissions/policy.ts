import picomatch from 'picomatch';
import { z } from 'zod';
import { didYouMean } from '../../../plan/problems/did-you-mean.ts';
import { matchesWildcard } from './wildcard.ts';

export type Verdict = 'allow' | 'ask' | 'deny';

/** What the text after a tool's name is: chosen by the tool, see {@link subjectKind}. */
export type SubjectKind = 'path' | 'command' | 'url' | 'none';

/**
 * One line of a person's permissions. Without a `path`, `command` or `url` it holds for every use of the tool.
 *
 * | Field     | Fits                                                             | Written as                          |
 * | --------- | ---------------------------------------------------------------- | ----------------------------------- |
 * | `tool`    | the tool's name                                                  | `*` for anything: `mcp__github__*`  |
 * | `path`    | a path in the workspace                                          | a glob: `src/**`                    |
 * | `command` | each simple command of a shell line, program first               | `git push *`; a bare program as well |
 * | `url`     | scheme and host for themselves, then the rest                    | `https://*.example.org/docs/*`      |
 */
export interface Rule {
  readonly tool: string;
  readonly path?: string;
  readonly command?: string;
  readonly url?: string;
  readonly decide: Verdict;
  /** Shown to whoever is asked or refused. */
  readonly reason?: string;
}

export interface Policy {
  /** The first that fits decides; what none fits is decided by mode and capability. */
  readonly rules: readonly Rule[];
  /** What becomes of `ask` while nobody attends: it waits for a person, or is refused at once. */
  readonly unattended: 'ask' | 'deny';
}

export interface PolicyProblem {
  /** `rules[2].command` */
  readonly path: string;
  /** A sentence: expectation, fact, next step. */
  readonly message: string;
}

export type ParsedPolicy =
  | { readonly ok: true; readonly policy: Policy }
  | { readonly ok: false; readonly problems: readonly PolicyProblem[] };

/** Nothing of its own: mode and capability decide. */
export const DEFAULT_POLICY: Policy = Object.freeze({ rules: [], unattended: 'ask' });

const MAX_RULES = 200;
const pattern = z.string().trim().min(1, 'must say what it fits; leave it out to fit everything').max(500);
const ruleSchema = z.strictObject({
  tool: pattern,
  path: pattern.optional(),
  command: pattern.optional(),
  url: pattern.optional(),
  decide: z.enum(['allow', 'ask', 'deny']),
  reason: z.string().trim().min(1).max(500).optional(),
});
const policySchema = z.strictObject({
  rules: z.array(ruleSchema).max(MAX_RULES).default([]),
  unattended: z.enum(['ask', 'deny']).default('ask'),
});
const KNOWN_KEYS = [...Object.keys(ruleSchema.shape), ...Object.keys(policySchema.shape)];

/** Reads the `permissions` of the settings. Rules that can never fit are problems, not surprises. */
export function parsePolicy(json: unknown): ParsedPolicy {
  const parsed = policySchema.safeParse(json ?? {});
  if (!parsed.success) return { ok: false, problems: parsed.error.issues.flatMap(problemsOf) };
  const rules = parsed.data.rules.map(withoutUndefined);
  const problems = rules.flatMap((rule, index) => ruleProblems(rule, `rules[${index}]`));
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, policy: { rules, unattended: parsed.data.unattended } };
}

function withoutUndefined(rule: z.infer<typeof ruleSchema>): Rule {
  const { tool, path, command, url, decide, reason } = rule;
  return {
    tool,
    ...(path === undefined ? {} : { path }),
    ...(command === undefined ? {} : { command }),
    ...(url === undefined ? {} : { url }),
    decide,
    ...(reason === undefined ? {} : { reason }),
  };
}

function problemsOf(issue: z.core.$ZodIssue): PolicyProblem[] {
  const path = issue.path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  const at = path.replace(/^\./, '');
  if (issue.code !== 'unrecognized_keys') return [{ path: at, message: issue.message }];
  return issue.keys.map((key) => {
    const meant = didYouMean(key, KNOWN_KEYS);
    const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`;
    return { path: at === '' ? key : `${at}.${key}`, message: `Nothing is called "${key}" here.${hint}` };
  });
}

function ruleProblems(rule: Rule, at: string): PolicyProblem[] {
  const given = (['path', 'command', 'url'] as const).filter((key) => rule[key] !== undefined);
  if (given.length > 1)
    return [{ path: at, message: `A rule has one of path, command and url; this one has ${given.join(' and ')}.` }];
  const [kind] = given;
  if (kind === undefined) return [];
  if (!mayHave(rule.tool, kind))
    return [{ path: `${at}.${kind}`, message: `"${rule.tool}" has no ${kind}, so this rule would never fit.` }];
  if (kind === 'url' && !/^(?:https?|\*):\/\/[^/]+(?:\/|$)/.test(rule.url ?? ''))
    return [{ path: `${at}.url`, message: `Write scheme and host, as in https://example.org/*; found "${rule.url}".` }];
  return kind === 'path' ? pathProblems(rule.path ?? '', `${at}.path`) : [];
}

function pathProblems(path: string, at: string): PolicyProblem[] {
  if (path.startsWith('/') || path.split('/').includes('..'))
    return [{ path: at, message: `Paths are relative to the workspace and stay in it; found "${path}".` }];
  try {
    picomatch.makeRe(path);
    return [];
  } catch {
    return [{ path: at, message: `"${path}" is not a glob.` }];
  }
}

/** Whether some tool that fits `tool` has such a subject. */
function mayHave(tool: string, kind: SubjectKind): boolean {
  if (kind === 'command') return matchesWildcard(tool, 'shell');
  if (kind === 'url') return matchesWildcard(tool, 'web_fetch');
  return tool.includes('*') || subjectKind(tool) === 'path';
}

/** Tools whose subject is a path, or several on lines of their own. */
const WITH_PATH = new Set('read write edit apply_patch glob grep list git_read view_image'.split(' '));

/** What `AgentTool.subject` of a tool is. */
export function subjectKind(tool: string): SubjectKind {
  if (tool === 'shell') return 'command';
  if (tool === 'web_fetch') return 'url';
  return WITH_PATH.has(tool) ? 'path' : 'none';
}
