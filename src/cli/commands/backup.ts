import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { answer, failure } from '../answer.ts';
import { withApp } from '../app.ts';
import type { CommandModule } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { argument } from '../options.ts';
import { bytes } from '../render/when.ts';

export const backup: CommandModule = {
  define: (parser) => void parser.argument('<file>', 'where to write the copy; must not exist'),
  examples: ['workcenter backup ~/workcenter-backup.db'],
  userOnly: true,
  run: (shell, input) =>
    withApp(shell, async (app) => {
      const path = resolve(shell.cwd, argument(input, 0));
      const there = await stat(path).catch(() => undefined);
      if (there) {
        return failure(EXIT.invalid, 'file_exists', `${path} exists.`, { expected: 'a file that does not exist' });
      }
      await app.store.backup(path);
      const { size } = await stat(path);
      return answer(`Wrote ${path} (${bytes(size)}). It is a complete store.`, { path, bytes: size });
    }),
};
