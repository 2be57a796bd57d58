import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchOptions } from './figure.ts';
import { create, itemId } from './items.ts';
import { fill } from './seed.ts';

export interface LargeStore {
  /** Copy it before writing to it. */
  readonly path: string;
  readonly count: number;
}

function* creations(count: number, start: boolean) {
  for (let index = 0; index < count; index++) yield create(itemId(index), index, { start });
}

async function seeded(options: BenchOptions, name: string, start: boolean): Promise<LargeStore> {
  const count = options.quick ? 500 : 100_000;
  const path = join(options.root, name);
  if (existsSync(path)) return { path, count };
  options.say(`creating ${count} ${start ? 'open items' : 'drafts'}`);
  await fill(path, creations(count, start));
  return { path, count };
}

/** A store of 100,000 items that all owe a step; made once per run. */
export const openItems = (options: BenchOptions): Promise<LargeStore> => seeded(options, 'open-items.db', true);

/** A store of 100,000 items that owe nothing, so that a server has nothing to do. */
export const drafts = (options: BenchOptions): Promise<LargeStore> => seeded(options, 'drafts.db', false);
