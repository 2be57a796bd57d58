import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Where everything of one installation lies, beneath the data directory. All paths are absolute. */
export interface Home {
  readonly root: string;
  readonly database: string;
  /** The engine's own git directory of an item (D32). */
  readonly repository: (itemId: string) => string;
  /** All workspaces of an item; the only root beneath which anything is ever removed. */
  readonly workspaces: (itemId: string) => string;
  readonly workspace: (itemId: string, name: string) => string;
  /** Brief, outcome, exit code and log of one Run. */
  readonly run: (runId: string) => string;
  readonly checks: (runId: string) => string;
  readonly setups: string;
  readonly landing: (itemId: string) => string;
  /** What is made only to look at a workspace, and removed at once. */
  readonly live: string;
  /** Copy of a plain directory as it was when the item began. */
  readonly plainBase: (itemId: string) => string;
}

export function homeAt(root: string): Home {
  return {
    root,
    database: join(root, 'workcenter.db'),
    repository: (itemId) => join(root, 'git', `${itemId}.git`),
    workspaces: (itemId) => join(root, 'work', itemId),
    workspace: (itemId, name) => join(root, 'work', itemId, name),
    run: (runId) => join(root, 'runs', runId),
    checks: (runId) => join(root, 'checks', runId),
    setups: join(root, 'setup'),
    landing: (itemId) => join(root, 'landing', itemId),
    live: join(root, 'live'),
    plainBase: (itemId) => join(root, 'base', itemId),
  };
}

/** Makes the directories that are expected to exist; private to the user. */
export async function prepareHome(home: Home): Promise<void> {
  for (const name of ['git', 'work', 'runs', 'checks', 'setup', 'landing', 'base']) {
    await mkdir(join(home.root, name), { recursive: true, mode: 0o700 });
  }
}
