import { rm } from 'node:fs/promises';
import { answer, type Failure, isFailure, type Outcome } from '../answer.ts';
import { withApp } from '../app.ts';
import type { Budget } from '../budget-text.ts';
import { unpricedFailure } from '../configuration.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { openBrowser } from '../open-browser.ts';
import type { Shell } from '../shell.ts';
import { aborted, type Carried, carryDemo, type DemoPage } from './carry-demo.ts';
import { type DemoModel, demoModel, type ModelWish } from './demo-model.ts';
import { type DemoPlaces, demoPlaces } from './demo-places.ts';
import { makeDemoProject } from './demo-project.ts';
import { closing, pageStays, programOf } from './demo-words.ts';
import { goalStory, planStory, type Story } from './story.ts';

export interface DemoOptions extends ModelWish {
  /** Carries the plan that needs no model instead of the goal. */
  readonly plan?: boolean;
  /** Where to make it; must be empty or absent, or hold a demo to carry on. A fresh temporary directory by default. */
  readonly directory?: string;
  /** False removes everything at the end; then nobody can check the result. Default true. */
  readonly keep?: boolean;
  /** Says how long each phase took. */
  readonly verbose?: boolean;
  readonly budget?: Budget;
  /** Ends by itself and serves no page, as scripts need it. */
  readonly once?: boolean;
  /** Opens the page in the browser, and keeps it until it is interrupted. */
  readonly open?: boolean;
}

/** A guard against a hang, far beyond what the slowest machine or model needs. */
const GUARD_MS = 20 * 60_000;

/** What a demo may cost unless it is said: little, also where nobody knows the price. */
const DEFAULT_BUDGET: Readonly<Record<'priced' | 'unpriced', Budget>> = Object.freeze({
  priced: { costMicros: 2_000_000 },
  unpriced: { tokens: 1_000_000, requests: 100 },
});

/** What is to be carried. */
type Chosen = Readonly<{ kind: 'plan' } | { kind: 'goal'; model: DemoModel; budget: Budget }>;

/** Names and lengths of phases; the clock is the shell's. */
function stopwatch(now: () => number) {
  const startedAt = now();
  let last = startedAt;
  const phases: string[] = [];
  return {
    startedAt,
    phase: (name: string): void => {
      const at = now();
      phases.push(`${String(at - last).padStart(6)} ms  ${name}`);
      last = at;
    },
    report: (): readonly string[] => [...phases, `${String(now() - startedAt).padStart(6)} ms  in all`],
  };
}

function exitOf({ state }: Carried, interrupted: boolean): ExitCode {
  if (state.lifecycle === 'done') return EXIT.ok;
  return interrupted ? EXIT.interrupted : EXIT.needsPerson;
}

async function choose(shell: Shell, options: DemoOptions): Promise<Chosen | Failure> {
  if (options.plan === true) return { kind: 'plan' };
  const model = await demoModel(options, shell.env);
  if (isFailure(model)) return model;
  const budget = options.budget ?? DEFAULT_BUDGET[model.priced ? 'priced' : 'unpriced'];
  const unpriced = unpricedFailure(model, budget.costMicros !== undefined);
  if (unpriced) return { ...unpriced, next: 'Limit tokens or requests instead: --budget 500k,50req' };
  return { kind: 'goal', model, budget };
}

/** Where a person watches, the page stays when the story is told; `told` hears that the end has been said. */
function pageOf(shell: Shell, options: DemoOptions, told: (carried: Carried) => void): DemoPage | undefined {
  const { once = false, open = false } = options;
  if (shell.json || once) return undefined;
  return {
    async serve(...beside) {
      const served = await (await import('./demo-page.ts')).serveDemo(...beside);
      if (served && open) openBrowser(shell, `${served.url}/`);
      return served;
    },
    async linger(carried, url) {
      if (!open && !shell.live) return;
      told(carried);
      shell.out(pageStays(url));
      await aborted(shell.interruptible());
    },
  };
}

async function tellStory(shell: Shell, places: DemoPlaces, options: DemoOptions, story: Story): Promise<Outcome> {
  const watch = stopwatch(shell.now);
  // With --json, standard output holds the one document and nothing else.
  const say = shell.json ? shell.err : shell.out;
  say(story.opening);
  const tell = (at: number, line: string): void => {
    const elapsed = `${((at - watch.startedAt) / 1000).toFixed(1)} s`;
    say(line.startsWith(' ') ? `         ${line}` : `${shell.paint.dim(elapsed.padStart(7))}  ${line}`);
  };
  const interrupt = shell.interruptible();
  const signal = AbortSignal.any([interrupt, AbortSignal.timeout(GUARD_MS)]);
  const own: Shell = { ...shell, env: { ...shell.env, ...story.env, WORKCENTER_HOME: places.home } };
  const { submit, narrator, report, carryOn } = story;
  const textOf = (carried: Carried): string =>
    closing(carried, places, {
      paint: shell.paint,
      kept: options.keep !== false,
      program: programOf(shell.env),
      carryOn,
    });
  let isTold = false;
  const page = pageOf(shell, options, (carried) => {
    isTold = true;
    say(textOf(carried));
  });
  const outcome = await withApp(own, async (app) => {
    const run = { submit, narrator, signal, tell, phase: watch.phase };
    const carried = await carryDemo(app, page ? { ...run, page } : run);
    return answer(isTold ? '' : textOf(carried), report(carried), exitOf(carried, interrupt.aborted));
  });
  if (options.verbose === true) for (const line of watch.report()) shell.err(line);
  if (shell.json && outcome.type === 'answer') say(outcome.text);
  return outcome;
}

async function play(shell: Shell, places: DemoPlaces, options: DemoOptions, chosen: Chosen): Promise<Outcome> {
  const { repository, agents } = places;
  if (!places.begun) await makeDemoProject({ repository, agents, at: shell.now() });
  const { paint } = shell;
  const story = chosen.kind === 'plan' ? await planStory(places, paint) : await goalStory(places, paint, chosen);
  try {
    return await tellStory(shell, places, options, story);
  } finally {
    await story.close();
  }
}

/**
 * Makes a small real project with two bugs in a repository of its own and carries a goal that mends them, or with `plan`
 * a plan, with the engine that every other command uses. What is scripted or canned it says. Ends by itself: exit code
 * 0 only when every criterion is proven. Throws only for defects.
 */
export async function demo(shell: Shell, options: DemoOptions = {}): Promise<Outcome> {
  const chosen = await choose(shell, options);
  if (isFailure(chosen)) return chosen;
  const places = await demoPlaces(shell.cwd, options.directory, chosen.kind === 'goal');
  if (isFailure(places)) return places;
  try {
    return await play(shell, places, options, chosen);
  } finally {
    if (options.keep === false) await rm(places.root, { recursive: true, force: true });
  }
}
