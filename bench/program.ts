import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The built program: what people start. `npm run build` makes it. */
export const PROGRAM = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));

export const isBuilt = (): boolean => existsSync(PROGRAM);

export const NOT_BUILT = 'dist is missing; npm run build';

/** The environment of a program that is measured: its data in a directory of ours, nothing else of this process. */
export const environmentFor = (home: string): Record<string, string> => ({
  PATH: process.env.PATH ?? '/usr/bin:/bin',
  HOME: home,
  WORKCENTER_HOME: home,
  LANG: 'C.UTF-8',
});
