import { accessSync, constants, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { DetectContext } from '../../plan/detect/detect-project.ts';

/** A manifest is small; what is larger, or no file, is not read. */
const MAX_MANIFEST_BYTES = 1024 * 1024;

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function readText(path: string): string | undefined {
  try {
    const info = statSync(path);
    return info.isFile() && info.size <= MAX_MANIFEST_BYTES ? readFileSync(path, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}

function list(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

/** A directory of this machine, as detection looks at it; `path` is where programs are looked for, as in PATH. */
export function lookAtProject(directory: string, path: string | undefined): DetectContext {
  const places = (path ?? '').split(delimiter).filter((place) => place !== '');
  return {
    ...{ directory, exists: existsSync, readText, list },
    which: (program) => places.map((place) => join(place, program)).find(isProgram),
  };
}
