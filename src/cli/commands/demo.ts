import type { CommandModule } from '../command.ts';
import { flagOption, textOption } from '../options.ts';

export const demo: CommandModule = {
  define: (command) =>
    void command
      .option('--once', 'end by itself, for scripts')
      .option('--dir <dir>', 'make it here; a fresh temporary directory by default')
      .option('--keep', 'leave everything in place at the end, the default')
      .option('--no-keep', 'remove everything at the end')
      .option('--verbose', 'say how long each phase took'),
  examples: ['workcenter demo', 'workcenter demo --once --json', 'workcenter demo --dir /tmp/demo --verbose'],
  userOnly: true,
  run: async (shell, input) => {
    const { demo: play } = await import('../demo/demo.ts');
    const directory = textOption(input, 'dir');
    return play(shell, {
      ...(directory === undefined ? {} : { directory }),
      keep: input.options.keep !== false,
      verbose: flagOption(input, 'verbose'),
    });
  },
};
