import { join } from 'node:path';
import type { Network } from '../../core/model/contract.ts';
import { secretValues } from '../../text/redact.ts';
import { childEnvironment, privateDirectories } from '../../workspace/process/environment.ts';
import type { ExitReport } from '../../workspace/process/guarded-process.ts';
import { spawnGuarded } from '../../workspace/process/spawn-guarded.ts';
import { privatePlace, sandboxFor } from '../confinement.ts';
import type { StoredLog } from '../executor.ts';
import { openRunLog } from '../run-log.ts';
import type { CheckPlace } from './check-place.ts';

export interface GuardedLine {
  /** Unique in the place; names its private directories and its log. */
  readonly name: string;
  /** A shell line. */
  readonly run: string;
  readonly checkout: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly network: Network;
  readonly timeoutSec: number;
}

export interface LineEnd {
  readonly exit: ExitReport;
  readonly log: StoredLog;
  readonly logPath: string;
}

/** Runs one shell line of the contract in a checkout, confined, with a home of its own and no input. */
export async function runGuardedLine(place: CheckPlace, line: GuardedLine): Promise<LineEnd> {
  const own = await privatePlace(join(place.workDir, `${line.name}.private`));
  const logPath = join(place.workDir, `${line.name}.log`);
  const { confinement, io } = place;
  const secrets = [...confinement.secrets, ...secretValues(line.env)];
  const log = await openRunLog({ path: logPath, secrets, io });
  try {
    const guarded = await (place.spawn ?? spawnGuarded)({
      argv: ['/bin/sh', '-c', line.run],
      cwd: line.cwd,
      env: childEnvironment({
        parent: confinement.parentEnvironment,
        declared: line.env,
        extra: privateDirectories(own),
      }),
      runTag: `${place.runId}:${place.epoch}`,
      timeoutMs: line.timeoutSec * 1_000,
      signal: io.signal,
      sandbox: sandboxFor(confinement, {
        ...own,
        workspace: line.checkout,
        mode: 'write',
        network: line.network,
        readable: place.source.readable,
      }),
      onOutput: (chunk) => log.take(chunk),
      onSpawned: (identity) => io.onSpawned(identity),
    });
    const exit = await guarded.exited;
    if (exit.cause !== 'exited') await log.note(`[${exit.cause}] ${exit.detail ?? ''}`.trimEnd());
    return { exit, log: await log.store(), logPath };
  } catch (error) {
    await log.discard().catch(() => {}); // It may be closed already; the first error says more.
    throw error;
  }
}
