import fsPromises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

/** Told of an effect before it happens; answers what to call when it has happened. */
export type Effect = (what: string) => () => void;

/** From now on these changes of files are effects of this process, whoever asks for them. */
export function watchFiles(names: readonly string[], effect: Effect): void {
  for (const name of names) {
    const real: unknown = Reflect.get(fsPromises, name);
    if (typeof real !== 'function') continue;
    Reflect.set(fsPromises, name, async (...args: unknown[]) => {
      const done = effect(name);
      const answer: unknown = await Reflect.apply(real, fsPromises, args);
      done();
      return answer;
    });
  }
  syncBuiltinESMExports();
}
