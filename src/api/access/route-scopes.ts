import type { Scope } from './scopes.ts';

/** What a route needs: a scope, or nothing at all. */
export type Need = Scope | 'open';

interface Rule {
  readonly methods: readonly string[] | 'any';
  /** `*` stands for one segment, `**` at the end for any number. */
  readonly path: string;
  readonly need: Need;
}

const READING = ['GET', 'HEAD'] as const;
const V1 = '/api/v1';

/** The first rule that fits holds. What changes something and is not named needs everything. */
const RULES: readonly Rule[] = [
  { methods: READING, path: '/healthz', need: 'open' },
  { methods: 'any', path: `${V1}/webhooks/**`, need: 'admin' },
  { methods: 'any', path: `${V1}/tokens/**`, need: 'admin' },
  { methods: 'any', path: `${V1}/disk/**`, need: 'admin' },
  { methods: 'any', path: `${V1}/workers`, need: 'admin' },
  { methods: 'any', path: `${V1}/enforcement`, need: 'admin' },
  // Looks into a directory of the caller's choice.
  { methods: READING, path: `${V1}/suggestions`, need: 'create' },
  { methods: READING, path: '/**', need: 'read' },
  { methods: ['POST'], path: `${V1}/work-items`, need: 'create' },
  { methods: ['POST'], path: `${V1}/attachments`, need: 'create' },
  // Runs a command of the caller's, as creating an item with a check does.
  { methods: ['POST'], path: `${V1}/checks/trial`, need: 'create' },
  { methods: 'any', path: `${V1}/work-items/*/**`, need: 'operate' },
  { methods: 'any', path: `${V1}/settings`, need: 'admin' },
  { methods: 'any', path: `${V1}/vps/**`, need: 'admin' },
  // Its tools are judged one by one.
  { methods: 'any', path: '/mcp', need: 'read' },
];

function fits(pattern: string, path: string): boolean {
  const wanted = pattern.split('/');
  const found = path.split('/');
  const isOpenEnded = wanted.at(-1) === '**';
  const fixed = isOpenEnded ? wanted.slice(0, -1) : wanted;
  if (isOpenEnded ? found.length < fixed.length : found.length !== fixed.length) return false;
  return fixed.every((segment, index) => (segment === '*' ? found[index] !== '' : segment === found[index]));
}

const ruleFor = (method: string, path: string): Rule | undefined =>
  RULES.find(({ methods, path: pattern }) => (methods === 'any' || methods.includes(method)) && fits(pattern, path));

/** False: nobody has thought about it, and only `admin` may. */
export const isRuled = (method: string, path: string): boolean => ruleFor(method, path) !== undefined;

/** What the holder of a token needs for a request; `path` as the router sees it, or as the document writes it. */
export const needOf = (method: string, path: string): Need => ruleFor(method, path)?.need ?? 'admin';
