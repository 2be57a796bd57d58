import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Check, Criterion } from '../../core/model/contract.ts';
import type { CheckVerdict } from '../../core/model/outcome.ts';
import { removeTree } from '../../workspace/files/remove-tree.ts';
import { isBeneath } from '../../workspace/sandbox/resolve-policy.ts';
import type { StoredLog } from '../executor.ts';
import type { CheckPlace } from './check-place.ts';
import { globFromTop, type Side } from './check-source.ts';
import { type LineEnd, runGuardedLine } from './guarded-line.ts';
import { matchOutput } from './match-output.ts';
import { provideTo, type SetupResult } from './setup.ts';

/** A criterion that has a check. */
export type Checked = Criterion & { readonly check: Check };

export const hasCheck = (criterion: Criterion): criterion is Checked => criterion.check !== undefined;

export interface CheckRun {
  readonly kind: 'ran';
  readonly verdict: CheckVerdict;
  readonly exitCode: number | null;
  readonly durationMs: number;
  readonly log: StoredLog;
  /** Protected paths that had to be put back. */
  readonly restored: readonly string[];
  /** Paths of the commit that the set-up replaced. */
  readonly replaced: readonly string[];
}

export type CheckAttempt =
  | CheckRun
  | { readonly kind: 'stopped' }
  | { readonly kind: 'not_started'; readonly detail: string };

/** Runs one check on one side, in a checkout made for it alone: checks cannot poison one another. */
export async function runCheck(
  place: CheckPlace,
  criterion: Checked,
  side: Side,
  setup: SetupResult,
): Promise<CheckAttempt> {
  if (place.io.signal.aborted) return { kind: 'stopped' };
  const { inPlace } = place.source;
  if (inPlace !== undefined) return runIn(place, criterion, side, inPlace, { restored: [], replaced: [] });
  const checkout = join(place.workDir, `check-${criterion.id}-${side}`);
  try {
    return await runIn(place, criterion, side, checkout, await prepare(place, criterion, side, setup, checkout));
  } finally {
    await removeTree(checkout);
  }
}

interface Prepared {
  readonly restored: readonly string[];
  readonly replaced: readonly string[];
}

/** Protection comes before the set-up: installed packages are nobody's protected tests. */
async function prepare(
  place: CheckPlace,
  criterion: Checked,
  side: Side,
  setup: SetupResult,
  checkout: string,
): Promise<Prepared> {
  const { source, io } = place;
  await source.checkOut(side, checkout, { dependencies: place.setup === undefined });
  const globs = criterion.check.protect.map((glob) => globFromTop(source.subdirectory, glob));
  const restored = side === 'result' ? await source.restore(checkout, globs) : [];
  return { restored, replaced: await provideTo(setup, checkout, io.now()) };
}

async function runIn(
  place: CheckPlace,
  criterion: Checked,
  side: Side,
  checkout: string,
  prepared: Prepared,
): Promise<CheckAttempt> {
  const { check } = criterion;
  const cwd = await directoryOf(checkout, join(place.source.subdirectory, check.cwd ?? ''));
  if (cwd === null) return withoutDirectory(place, check, prepared);
  const end = await runGuardedLine(place, {
    name: `check-${criterion.id}-${side}-line`,
    run: check.run,
    checkout,
    cwd,
    // Test runners watch for changes, and wait for ever, unless they believe themselves unattended.
    env: { CI: 'true', ...check.env },
    network: check.network,
    timeoutSec: check.timeoutSec,
  });
  const { exit, log } = end;
  if (exit.cause === 'aborted') return { kind: 'stopped' };
  if (exit.cause === 'spawn_failed') return { kind: 'not_started', detail: exit.detail ?? 'no reason was given' };
  const verdict = await verdictOf(check, end);
  const durationMs = Math.round(exit.durationMs);
  // The code of a command that we ended says nothing about it.
  const exitCode = exit.cause === 'exited' ? exit.exitCode : null;
  return { kind: 'ran', verdict, exitCode, durationMs, log, ...prepared };
}

async function verdictOf(check: Check, { exit, logPath }: LineEnd): Promise<CheckVerdict> {
  if (exit.cause === 'timed_out') return 'timed_out';
  if (exit.cause !== 'exited' || exit.exitCode === null) return 'killed';
  if (exit.exitCode !== check.expectExit) return exit.exitCode === 127 ? 'not_found' : 'wrong_exit';
  if (check.expectOutput === undefined) return 'passed';
  return (await matchOutput(logPath, check.expectOutput)) === 'matched' ? 'passed' : 'output_mismatch';
}

/** The real directory, or null when it is missing or a link leads out of the checkout. */
async function directoryOf(checkout: string, folder: string): Promise<string | null> {
  const root = await realpath(checkout);
  const real = await realpath(join(root, folder)).catch(() => null);
  return real !== null && isBeneath(real, root) ? real : null;
}

async function withoutDirectory(place: CheckPlace, check: Check, prepared: Prepared): Promise<CheckRun> {
  const words = `The directory ${check.cwd ?? (place.source.subdirectory || '.')} does not exist in ${place.source.at('result')}, or leads out of it.\n`;
  const log = { ...(await place.io.putContent(Buffer.from(words))), tail: words };
  return { kind: 'ran', verdict: 'not_found', exitCode: null, durationMs: 0, log, ...prepared };
}
