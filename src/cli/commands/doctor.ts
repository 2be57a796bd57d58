import {
  diskHealth,
  gitHealth,
  type Health,
  leaseHealth,
  nodeHealth,
  sandboxHealth,
} from '../../engine/on-demand/health.ts';
import { answer, isFailure, type Outcome } from '../answer.ts';
import { type App, withApp } from '../app.ts';
import type { CommandModule } from '../command.ts';
import { dataDirectory, makeDataDirectory } from '../data-directory.ts';
import { failureOf } from '../errors.ts';
import { EXIT } from '../exit-codes.ts';
import { storeHealth, workerHealth } from '../health.ts';
import { flagOption, type Input } from '../options.ts';
import { readSettings } from '../settings-keys.ts';
import type { Shell } from '../shell.ts';

const GLYPH = { ok: '✓', warn: '!', fail: '✕' } as const;

function lineOf({ grade, what, fact, next }: Health, { paint }: Shell): string {
  const colour = { ok: paint.green, warn: paint.amber, fail: paint.red }[grade];
  const head = `${colour(`${GLYPH[grade]} ${grade.padEnd(4)}`)} ${what.padEnd(8)} ${fact}`;
  return next === undefined || grade === 'ok' ? head : `${head}\n${' '.repeat(16)}${paint.dim(next)}`;
}

async function installation(app: App, repair: boolean): Promise<readonly Health[]> {
  const settings = readSettings((await app.store.readSettings()).value);
  return [
    await sandboxHealth(settings.sandbox === 'off'),
    await diskHealth(app.home.root, settings.minFreeBytes),
    ...(await storeHealth(app, repair)),
    await leaseHealth(app.store),
    ...(await workerHealth(app)),
  ];
}

/** A store that does not open is one more finding, not the end of the examination. */
async function unopened(shell: Shell, error: unknown): Promise<readonly Health[]> {
  const { message, next = 'Restore a backup.' } = failureOf(error);
  const root = await dataDirectory(shell);
  return [await sandboxHealth(false), await diskHealth(root, 0), { grade: 'fail', what: 'store', fact: message, next }];
}

async function examine(shell: Shell, input: Input): Promise<Outcome> {
  const lines: Health[] = [nodeHealth(process.versions.node), await gitHealth(shell.env)];
  try {
    await makeDataDirectory(await dataDirectory(shell));
    const outcome = await withApp(shell, async (app) => {
      lines.push(...(await installation(app, flagOption(input, 'repair'))));
      return answer('', null);
    });
    if (isFailure(outcome)) return outcome;
  } catch (error) {
    lines.push(...(await unopened(shell, error)));
  }
  const worst = lines.some(({ grade }) => grade === 'fail') ? EXIT.refused : EXIT.ok;
  const exit = lines.some(({ grade, what }) => grade === 'fail' && what === 'store') ? EXIT.store : worst;
  return answer(lines.map((line) => lineOf(line, shell)).join('\n'), { healthy: exit === EXIT.ok, lines }, exit);
}

export const doctor: CommandModule = {
  define: (parser) => void parser.option('--repair', 'rebuild the tables that differ from the events'),
  examples: ['workcenter doctor', 'workcenter doctor --repair'],
  userOnly: false,
  run: examine,
};
