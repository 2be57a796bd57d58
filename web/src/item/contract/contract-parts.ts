import type { Contract } from '../../../../src/client/index.ts';

export type Criterion = Contract['criteria'][number];

/** What a contract says, of a version, a proposal or a form alike. */
export interface Terms {
  readonly title: string;
  readonly goal: string;
  readonly instructions?: string | null;
  readonly criteria: readonly Criterion[];
  readonly setup?: Contract['setup'];
  readonly delivery: Contract['delivery'];
}

/** `criterion:c1` for criteria. */
export type PartName = 'title' | 'goal' | 'instructions' | 'setup' | 'delivery' | `criterion:${string}`;

/** A check in lines: the command, and what is not usual about it. */
export function checkText(check: NonNullable<Criterion['check']>): string {
  const { run, cwd, env, timeoutSec, expectExit, expectOutput, protect, network } = check;
  return [
    `$ ${run}`,
    ...(cwd === undefined ? [] : [`cwd: ${cwd}`]),
    ...(env === undefined ? [] : Object.entries(env).map(([name, value]) => `env: ${name}=${value}`)),
    ...(expectExit === 0 ? [] : [`exit: ${expectExit}`]),
    ...(expectOutput === undefined ? [] : [`output: /${expectOutput}/`]),
    ...(protect.length === 0 ? [] : [`protect: ${protect.join(', ')}`]),
    `network: ${network} · ${timeoutSec} s`,
  ].join('\n');
}

const criterionText = ({ text, check, minProof }: Criterion): string =>
  [text, ...(check ? [checkText(check)] : []), `proof: ${minProof}`].join('\n');

const setupText = (setup: NonNullable<Contract['setup']>): string =>
  [
    `$ ${setup.run}`,
    ...(setup.inputs.length === 0 ? [] : [`inputs: ${setup.inputs.join(', ')}`]),
    `network: ${setup.network} · ${setup.timeoutSec} s`,
  ].join('\n');

/** Every part as text, so that two contracts can be compared part by part. */
export function partsOf(terms: Terms): ReadonlyMap<PartName, string> {
  const { title, goal, instructions, setup, delivery, criteria } = terms;
  return new Map<PartName, string>([
    ['title', title],
    ['goal', goal],
    ...criteria.map((criterion) => [`criterion:${criterion.id}`, criterionText(criterion)] as const),
    ['setup', setup ? setupText(setup) : ''],
    ['delivery', [delivery.target, delivery.branch ?? ''].join(' ').trim()],
    ['instructions', instructions ?? ''],
  ]);
}

export interface PartChange {
  readonly name: PartName;
  readonly before: string;
  readonly after: string;
}

/** Parts that differ, in the order of the later contract; those that are gone stand at the end. */
export function changesBetween(before: Terms, after: Terms): readonly PartChange[] {
  const [old, now] = [partsOf(before), partsOf(after)];
  const names = new Set([...now.keys(), ...old.keys()]);
  return [...names].flatMap((name) => {
    const change = { name, before: old.get(name) ?? '', after: now.get(name) ?? '' };
    return change.before === change.after ? [] : [change];
  });
}
