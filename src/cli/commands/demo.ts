import type { CommandModule } from '../command.ts';
import { flagOption, textOption } from '../options.ts';

export const demo: CommandModule = {
  define: (command) =>
    void command
      .option('--once', 'end by itself when everything is proven, as scripts need it; so it does in any case')
      .option('--dir <dir>', 'where to make it; a new temporary directory by default')
      .option('--keep', 'leave everything in place for a look; the default')
      .option('--no-keep', 'remove everything at the end')
      .option('--verbose', 'say how long each phase took'),
  examples: ['workcenter demo', 'workcenter demo --once --json', 'workcenter demo --dir ./demo --verbose'],
  userOnly: false,
  run: async (shell, input) => {
    const directory = textOption(input, 'dir');
    const play = (await import('../demo/demo.ts')).demo;
    return play(shell, {
      ...(directory === undefined ? {} : { directory }),
      keep: input.options.keep !== false,
      verbose: flagOption(input, 'verbose'),
    });
  },
};
