import type { Changes, Store } from '../../store/store.ts';
import { type EventPage, readPage } from './event-page.ts';
import { type RecentChanges, recentChanges } from './recent-changes.ts';

/** How soon a commit of another process is seen. */
const POLL_MS = 1_000;
/** The feed gathers commits of this process for so long. */
const GATHER_MS = 100;
/** Of what changed last, kept for the feed. */
const RECENT_ITEMS = 4_096;

interface WatchedItem {
  readonly wakes: Set<() => void>;
  /** The last page that somebody asked for: streams that stand at the same place share it. */
  page?: { readonly after: number; readonly read: Promise<EventPage> };
}

/**
 * What changes in the store, looked at once for all streams of this process: however many there are, commits of other
 * processes cost one question a second, and those of this process wake just the streams of their item. It looks while
 * somebody watches.
 */
export class ChangeHub {
  readonly #store: Store;
  readonly #onFailure: (error: unknown) => void;
  readonly #items = new Map<string, WatchedItem>();
  readonly #feeds = new Set<() => void>();
  #begun: Promise<RecentChanges> | undefined;
  #unsubscribe: (() => void) | undefined;
  #poll: NodeJS.Timeout | undefined;
  #soon: NodeJS.Timeout | undefined;
  #isLooking = false;
  #isDue = false;

  /** `onFailure` hears when the store could not be looked at; it is asked again at the next poll. */
  constructor(store: Store, onFailure: (error: unknown) => void) {
    this.#store = store;
    this.#onFailure = onFailure;
  }

  /** From its answer on, every commit to the item wakes. Answers how to stop. */
  async watchItem(itemId: string, wake: () => void): Promise<() => void> {
    const watched = this.#items.get(itemId) ?? { wakes: new Set() };
    this.#items.set(itemId, watched);
    watched.wakes.add(wake);
    const stop = (): void => {
      watched.wakes.delete(wake);
      if (watched.wakes.size === 0 && this.#items.get(itemId) === watched) this.#items.delete(itemId);
      this.#restWhenIdle();
    };
    return this.#watching(stop);
  }

  /** The same for all items together; a burst of commits wakes once. */
  async watchFeed(wake: () => void): Promise<() => void> {
    this.#feeds.add(wake);
    return this.#watching(() => {
      this.#feeds.delete(wake);
      this.#restWhenIdle();
    });
  }

  /** Events of a watched item behind `after`; `fresh` asks the store, whatever is known. */
  async page(itemId: string, after: number, fresh: boolean): Promise<EventPage> {
    const watched = this.#items.get(itemId);
    if (!fresh && watched?.page?.after === after) return watched.page.read;
    const read = readPage(this.#store, itemId, after);
    if (watched) watched.page = { after, read };
    return read;
  }

  /** Items that changed behind a cursor, for those who watch the feed. */
  async since(cursor: number): Promise<Changes> {
    const recent = await this.#begun;
    return recent?.since(cursor) ?? this.#store.changedSince(cursor);
  }

  async #watching(stop: () => void): Promise<() => void> {
    try {
      this.#begun ??= this.#begin();
      await this.#begun;
      return stop;
    } catch (error) {
      stop();
      throw error;
    }
  }

  async #begin(): Promise<RecentChanges> {
    // Before the cursor is read: nothing may fall between the two.
    this.#unsubscribe = this.#store.onCommit(({ id }) => {
      this.#stir(id);
      if (this.#feeds.size > 0) this.#soon ??= setTimeout(() => this.#look(), GATHER_MS);
    });
    this.#poll = setInterval(() => this.#look(), POLL_MS).unref();
    const { cursor } = await this.#store.changedSince(undefined);
    return recentChanges(cursor, RECENT_ITEMS);
  }

  #restWhenIdle(): void {
    if (this.#items.size > 0 || this.#feeds.size > 0) return;
    this.#begun = undefined;
    this.#unsubscribe?.();
    clearInterval(this.#poll);
    clearTimeout(this.#soon);
    this.#soon = undefined;
  }

  #stir(itemId: string): void {
    const watched = this.#items.get(itemId);
    if (!watched) return;
    delete watched.page;
    for (const wake of watched.wakes) wake();
  }

  #look(): void {
    clearTimeout(this.#soon);
    this.#soon = undefined;
    this.#isDue = true;
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.#readOn()
      .catch(this.#onFailure)
      .finally(() => {
        this.#isLooking = false;
      });
  }

  async #readOn(): Promise<void> {
    const recent = await this.#begun;
    while (recent && this.#isDue) {
      this.#isDue = false;
      const changes = await this.#store.changedSince(recent.cursor);
      if (changes.items.length === 0) continue;
      this.#isDue = true;
      recent.add(changes);
      for (const { itemId } of changes.items) this.#stir(itemId);
      for (const wake of this.#feeds) wake();
    }
  }
}
