import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
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
        return failure(EXIT.invalid, 'file_exists', `${path} exists.`, {
          expected: 'a file that does not exist',
          found: there.isDirectory() ? 'a directory' : 'a file',
          next: 'Choose another name.',
        });
      }
      const folder = await stat(dirname(path)).catch(() => undefined);
      if (!folder?.isDirectory()) {
        return failure(EXIT.notFound, 'directory_not_found', 'There is no such directory to write to.', {
          expected: 'a directory that exists',
          found: dirname(path),
          next: 'Make it, or choose another place.',
        });
      }
      await app.store.backup(path);
      const { size } = await stat(path);
      return answer(`Wrote ${path} (${bytes(size)}). It is a complete store.`, { path, bytes: size });
    }),
};
