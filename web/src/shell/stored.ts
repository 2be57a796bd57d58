/** Of the browser's own storage, what is used here. */
export interface BrowserStorage {
  readonly length: number;
  key(index: number): string | null;
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

export interface Stored {
  readonly id: string;
  readonly value: unknown;
  /** When it was written last; epoch milliseconds. */
  readonly at: number;
}

/** What an entry says; undefined where there is none, or none that can be read. */
export function readStored(text: string | null): Omit<Stored, 'id'> | undefined {
  try {
    const entry: unknown = JSON.parse(text ?? 'null');
    if (typeof entry !== 'object' || entry === null || !('value' in entry)) return undefined;
    return { value: entry.value, at: 'at' in entry && typeof entry.at === 'number' ? entry.at : 0 };
  } catch {
    return undefined;
  }
}

/** Entries of one kind, each under a name of its own so that tabs do not write over each other: the latest first. */
export function storedUnder(storage: BrowserStorage, prefix: string): readonly Stored[] {
  const names = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '');
  return names
    .filter((name) => name.startsWith(prefix))
    .flatMap((name) => {
      const entry = readStored(storage.getItem(name));
      return entry ? [{ id: name.slice(prefix.length), ...entry }] : [];
    })
    .toSorted((a, b) => b.at - a.at);
}

/** False: this browser keeps nothing, and what is written lives as long as the page. */
export function store(storage: BrowserStorage, name: string, value: unknown, at = Date.now()): boolean {
  try {
    storage.setItem(name, JSON.stringify({ value, at }));
    return true;
  } catch {
    return false;
  }
}

export function forgetStored(storage: BrowserStorage, name: string): void {
  try {
    storage.removeItem(name);
  } catch {
    // Nothing was kept then.
  }
}
