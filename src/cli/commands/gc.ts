import type { GcEntry } from '../../engine/on-demand/collect-garbage.ts';
import { answer, failure, isFailure, type Outcome } from '../answer.ts';
import { type App, withApp } from '../app.ts';
import type { CommandModule } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { durationOption, flagOption, type Input } from '../options.ts';
import { bytes } from '../render/when.ts';
import type { Shell } from '../shell.ts';
import { openWorld } from '../world.ts';

const OLDER_THAN_SEC = 7 * 86_400;

function lineOf(entry: GcEntry, applied: boolean, { paint }: Shell): string {
  const removed = entry.action === 'remove';
  const verb = removed ? (applied ? paint.amber('removed') : paint.amber('remove ')) : paint.dim('keep   ');
  const kept = entry.keptRef ? ` (its work is kept as ${entry.keptRef})` : '';
  return `${verb} ${bytes(entry.bytes).padStart(8)}  ${entry.what.padEnd(10)} ${entry.path}\n${' '.repeat(18)}${paint.dim(`${entry.why}${kept}`)}`;
}

async function collect(app: App, input: Input): Promise<Outcome> {
  const olderThanSec = durationOption(input, 'olderThan');
  if (isFailure(olderThanSec)) return olderThanSec;
  const apply = flagOption(input, 'apply');
  const { world } = await openWorld(app, { embedded: true });
  const { collectGarbage } = await import('../../engine/on-demand/collect-garbage.ts');
  const entries = await collectGarbage(world, { apply, olderThanMs: (olderThanSec ?? OLDER_THAN_SEC) * 1000 });
  const freed = entries.filter((entry) => entry.action === 'remove').reduce((sum, entry) => sum + entry.bytes, 0);
  const tail = apply
    ? `${bytes(freed)} freed.`
    : freed === 0
      ? 'Nothing to remove.'
      : `${bytes(freed)} would be freed. Nothing was removed; --apply does it.`;
  const text = [...entries.map((entry) => lineOf(entry, apply, app.shell)), tail].join('\n');
  return answer(text, { applied: apply, bytes: freed, entries });
}

export const gc: CommandModule = {
  define: (parser) =>
    void parser
      .option('--apply', 'remove; without it only a list is made')
      .option('--older-than <time>', 'spare items that ended less than this ago; 7d by default'),
  examples: ['workcenter gc', 'workcenter gc --apply --older-than 30d'],
  userOnly: false,
  run: (shell, input) => {
    if (flagOption(input, 'apply') && shell.env.WORKCENTER_RUN !== undefined) {
      return Promise.resolve(
        failure(EXIT.refused, 'user_required', "Removing needs a person's authority.", {
          expected: 'a person at a terminal',
          found: 'inside of a Run (WORKCENTER_RUN is set)',
        }),
      );
    }
    return withApp(shell, (app) => collect(app, input));
  },
};
