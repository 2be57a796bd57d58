import { join } from 'node:path';
import { isRealDirectory, readSmallFile } from '../files/look.ts';

/** Where an executor left its HEAD, read from files alone: running git there would obey its configuration. */
export type ExecutorHead =
  | { readonly kind: 'commit'; readonly commit: string; readonly branch?: string }
  /** No git directory, a replaced one, an unborn branch, or something unreadable. */
  | { readonly kind: 'none'; readonly reason: string };

const COMMIT_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** Reads HEAD of the workspace at `path`: attached or detached, loose or packed refs. Never throws for bad content. */
export async function readExecutorHead(path: string): Promise<ExecutorHead> {
  const gitDir = join(path, '.git');
  if (!(await isRealDirectory(gitDir)))
    return { kind: 'none', reason: 'the workspace has no git directory of its own' };
  let name = 'HEAD';
  for (let hops = 0; hops < 5; hops++) {
    const text = (await readSmallFile(join(gitDir, name))) ?? (await packedRef(gitDir, name));
    if (text === undefined) return { kind: 'none', reason: `${name} does not exist` };
    const value = text.trim();
    if (COMMIT_ID.test(value)) {
      return {
        kind: 'commit',
        commit: value,
        ...(name === 'HEAD' ? {} : { branch: name.replace(/^refs\/heads\//, '') }),
      };
    }
    const next = /^ref: *(refs\/\S+)$/.exec(value)?.[1];
    if (next === undefined || next.split('/').includes('..')) return { kind: 'none', reason: `${name} is not a ref` };
    name = next;
  }
  return { kind: 'none', reason: 'HEAD is a chain of refs' };
}

async function packedRef(gitDir: string, name: string): Promise<string | undefined> {
  const lines = (await readSmallFile(join(gitDir, 'packed-refs')))?.split('\n') ?? [];
  return lines.find((line) => line.endsWith(` ${name}`))?.split(' ')[0];
}
