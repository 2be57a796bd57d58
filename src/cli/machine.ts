import { accessSync, constants, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { DetectContext } from '../plan/detect/detect-project.ts';
import type { Shell } from './shell.ts';

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

const readText = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
};

/** This machine, as detection looks at it. */
export function machine(directory: string, { env }: Pick<Shell, 'env'>): DetectContext {
  const places = (env.PATH ?? '').split(delimiter).filter((place) => place !== '');
  return {
    directory,
    exists: existsSync,
    readText,
    which: (program) => places.map((place) => join(place, program)).find(isProgram),
    list: (path) => (statSync(path, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(path) : []),
  };
}
