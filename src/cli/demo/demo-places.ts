import { access, mkdir, mkdtemp, readdir, realpath } from 'node:fs/promises';
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
  /** WORKCENTER_CONFIG of the demo: the same for the user's own VPs. */
  readonly config: string;
  readonly planPath: string;
  /** An earlier demo is there already, to be carried on. */
  readonly begun: boolean;
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** What a demo of a goal leaves behind, and nothing else does. */
const isDemo = async (root: string): Promise<boolean> =>
  (await exists(join(root, 'home', 'workcenter.db'))) && (await exists(join(root, 'config', 'vps', 'reviewer.md')));

const notEmpty = (wanted: string, entries: number): Failure =>
  failure(EXIT.invalid, 'directory_not_empty', 'The demo needs a directory of its own.', {
    expected: 'an empty directory, one that does not exist, or one with a demo to carry on',
    found: `${wanted} with ${entries} entries`,
    next: 'Name another --dir, or leave it out.',
  });

function placesAt(root: string, begun: boolean): DemoPlaces {
  return {
    root,
    repository: join(root, 'repository'),
    agents: join(root, 'agents'),
    home: join(root, 'home'),
    config: join(root, 'config'),
    planPath: join(root, 'plan.yaml'),
    begun,
  };
}

/**
 * Where the demo goes: `directory` (relative to `cwd`), which must be empty or absent, or hold a demo of a goal when one
 * may be carried on; or a fresh temporary one.
 */
export async function demoPlaces(
  cwd: string,
  directory: string | undefined,
  mayCarryOn: boolean,
): Promise<DemoPlaces | Failure> {
  if (directory === undefined)
    return placesAt(await realpath(await mkdtemp(join(tmpdir(), 'workcenter-demo-'))), false);
  const wanted = resolve(cwd, directory);
  await mkdir(wanted, { recursive: true });
  const found = await readdir(wanted);
  const root = await realpath(wanted);
  if (found.length === 0) return placesAt(root, false);
  return mayCarryOn && (await isDemo(root)) ? placesAt(root, true) : notEmpty(wanted, found.length);
}
