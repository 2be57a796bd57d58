import { mkdir, mkdtemp, readdir, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Failure, failure } from '../answer.ts';
import { EXIT } from '../exit-codes.ts';

/** All that the demo makes, beneath one directory; absolute and real. */
export interface DemoPlaces {
  readonly root: string;
  readonly repository: string;
  readonly agents: string;
  /** WORKCENTER_HOME of the demo: the data directory of the user stays out of it. */
  readonly home: string;
  readonly planPath: string;
}

async function emptyDirectory(wanted: string): Promise<string | Failure> {
  await mkdir(wanted, { recursive: true });
  const found = await readdir(wanted);
  if (found.length === 0) return realpath(wanted);
  return failure(EXIT.invalid, 'directory_not_empty', 'The demo needs a directory of its own.', {
    expected: 'an empty directory, or one that does not exist',
    found: `${wanted} with ${found.length} entries`,
    next: 'Name another --dir, or leave it out.',
  });
}

/** Where the demo goes: `directory` (relative to `cwd`), which must be empty or absent, or a fresh temporary one. */
export async function demoPlaces(cwd: string, directory: string | undefined): Promise<DemoPlaces | Failure> {
  const root =
    directory === undefined
      ? await realpath(await mkdtemp(join(tmpdir(), 'workcenter-demo-')))
      : await emptyDirectory(resolve(cwd, directory));
  if (typeof root !== 'string') return root;
  return {
    root,
    repository: join(root, 'repository'),
    agents: join(root, 'agents'),
    home: join(root, 'home'),
    planPath: join(root, 'plan.yaml'),
  };
}
