/** What is written in this tab: who waits for it to be so, and what ends it. */
interface Claim {
  readonly isMine: Promise<boolean>;
  readonly end: () => void;
}

const claims = new Map<string, Claim>();

/** Over plain HTTP from another machine there are no locks: then nobody knows of other tabs. */
function claimed(name: string, ifAvailable: boolean): Promise<boolean> {
  const known = claims.get(name);
  if (known) return known.isMine;
  const over = new AbortController();
  const isOver = new Promise<void>((done) => over.signal.addEventListener('abort', () => done()));
  const isMine = new Promise<boolean>((tell) => {
    const take = (lock: Lock | null): Promise<void> | undefined => {
      tell(lock !== null);
      if (lock) return isOver;
      claims.delete(name);
      return undefined;
    };
    const asked = navigator.locks?.request(name, { ifAvailable }, take);
    if (asked) asked.catch(() => tell(true));
    else tell(true);
  });
  claims.set(name, { isMine, end: () => over.abort() });
  return isMine;
}

/** Says to other tabs that this one writes it, for as long as this one is open. */
export const hold = (name: string): void => void claimed(name, false);

/** It is not written here any more. */
export function letGo(name: string): void {
  claims.get(name)?.end();
  claims.delete(name);
}

/** The first that no open tab writes; from now on this one does. */
export async function firstFree(names: readonly string[]): Promise<string | undefined> {
  const [name, ...others] = names;
  if (name === undefined) return undefined;
  return (await claimed(name, true)) ? name : firstFree(others);
}
