import { rm, writeFile } from 'node:fs/promises';
import { answer, isFailure, type Outcome } from '../answer.ts';
import { withApp } from '../app.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { itemReport } from '../report.ts';
import type { Shell } from '../shell.ts';
import { type Carried, carryDemo } from './carry-demo.ts';
import { type DemoPlaces, demoPlaces } from './demo-places.ts';
import { demoPlan } from './demo-plan.ts';
import { makeDemoProject } from './demo-project.ts';
import { closing, opening } from './demo-words.ts';

export interface DemoOptions {
  /** Where to make it; must be empty or absent. A fresh temporary directory by default. */
  readonly directory?: string;
  /** False removes everything at the end; then nobody can check the result. Default true. */
  readonly keep?: boolean;
  /** Says how long each phase took. */
  readonly verbose?: boolean;
}

/** A guard against a hang, far beyond what the slowest machine needs. */
const GUARD_MS = 5 * 60_000;

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

async function play(shell: Shell, places: DemoPlaces, options: DemoOptions): Promise<Outcome> {
  const watch = stopwatch(shell.now);
  // With --json, standard output holds the one document and nothing else.
  const say = shell.json ? shell.err : shell.out;
  const plan = demoPlan(places.agents);
  await makeDemoProject({ repository: places.repository, agents: places.agents, at: shell.now() });
  await writeFile(places.planPath, plan);
  watch.phase('project made');
  say(opening(places, shell.paint));
  const tell = (at: number, line: string): void => {
    const elapsed = `${((at - watch.startedAt) / 1000).toFixed(1)} s`;
    say(line.startsWith(' ') ? `         ${line}` : `${shell.paint.dim(elapsed.padStart(7))}  ${line}`);
  };
  const interrupt = shell.interruptible();
  const signal = AbortSignal.any([interrupt, AbortSignal.timeout(GUARD_MS)]);
  const own: Shell = { ...shell, env: { ...shell.env, WORKCENTER_HOME: places.home } };
  const outcome = await withApp(own, async (app) => {
    const { repository, planPath } = places;
    const carried = await carryDemo(app, { repository, plan, planPath, signal, tell, phase: watch.phase });
    const text = closing(carried, places, { paint: shell.paint, kept: options.keep !== false });
    return answer(text, itemReport(carried.state, carried.runs), exitOf(carried, interrupt.aborted));
  });
  if (options.verbose === true) for (const line of watch.report()) shell.err(line);
  if (shell.json && outcome.type === 'answer') say(outcome.text);
  return outcome;
}

/**
 * Makes a small real project with two bugs in a repository of its own and carries a plan that mends them, with the
 * engine that every other command uses. Only the two fixes are canned, and it says so. Ends by itself: exit code 0
 * when every criterion is proven. Throws only for defects.
 */
export async function demo(shell: Shell, options: DemoOptions = {}): Promise<Outcome> {
  const places = await demoPlaces(shell.cwd, options.directory);
  if (isFailure(places)) return places;
  try {
    return await play(shell, places, options);
  } finally {
    if (options.keep === false) await rm(places.root, { recursive: true, force: true });
  }
}
