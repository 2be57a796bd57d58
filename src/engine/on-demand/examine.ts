import type { World } from '../world.ts';
import { diskHealth, gitHealth, type Health, leaseHealth, nodeHealth, sandboxHealth } from './health.ts';

/** What `doctor` looks at besides the store, which it reads from end to end. */
export async function examine({ env, home, settings, store }: World): Promise<readonly Health[]> {
  const { sandbox } = (await store.readSettings()).value;
  return [
    nodeHealth(process.versions.node),
    await gitHealth(env),
    await sandboxHealth(sandbox === 'off'),
    await diskHealth(home.root, settings.minFreeBytes),
    await leaseHealth(store),
  ];
}
