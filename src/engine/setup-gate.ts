/** Work in flight by key, so that two Runs of this process that need the same set-up build it once. */
const building = new Map<string, Promise<unknown>>();

export async function oncePerKey<T>(key: string, work: () => Promise<T>): Promise<T> {
  for (let earlier = building.get(key); earlier; earlier = building.get(key)) await earlier.catch(() => undefined);
  const mine = work();
  building.set(key, mine);
  try {
    return await mine;
  } finally {
    building.delete(key);
  }
}
