/** A connection of a client over HTTP. */
export interface Session {
  readonly id: string;
  /** Who opened it; nobody else may use it. */
  readonly owner: string;
  /** Ends it at once; called once. */
  close(): void;
}

export interface SessionLimits {
  /** Sessions at a time. */
  readonly max: number;
  /** A session without any open request is over after this long. */
  readonly idleMs: number;
}

/** The open sessions. Ones that are over leave when somebody looks for one or opens one: there is no timer. */
export interface Sessions<S extends Session> {
  /** None where it is over, or somebody else's: who guesses an id learns nothing. */
  find(id: string, owner: string): S | undefined;
  /** False where all places are taken by clients that are connected; else one is free, if need be of the longest idle. */
  makeRoom(): boolean;
  add(session: S): void;
  /** An open request keeps a session; the answer lets go of it, once. */
  hold(session: Session): () => void;
  /** Forgets a session that has closed. */
  drop(id: string): void;
  all(): readonly S[];
}

interface Kept<S> {
  readonly session: S;
  open: number;
  idleSinceMs: number;
}

/** `now`: epoch milliseconds. */
export function newSessions<S extends Session>({ max, idleMs }: SessionLimits, now: () => number): Sessions<S> {
  const kept = new Map<string, Kept<S>>();
  const end = (entry: Kept<S>): void => {
    kept.delete(entry.session.id);
    entry.session.close();
  };
  const idle = (): Kept<S>[] => [...kept.values()].filter(({ open }) => open === 0);
  const sweep = (): void => {
    for (const entry of idle()) if (now() - entry.idleSinceMs >= idleMs) end(entry);
  };
  return {
    find(id, owner) {
      sweep();
      const session = kept.get(id)?.session;
      return session?.owner === owner ? session : undefined;
    },
    makeRoom() {
      sweep();
      if (kept.size < max) return true;
      const [longest] = idle().sort((one, other) => one.idleSinceMs - other.idleSinceMs);
      if (longest) end(longest);
      return longest !== undefined;
    },
    add: (session) => void kept.set(session.id, { session, open: 0, idleSinceMs: now() }),
    hold(session) {
      const entry = kept.get(session.id);
      if (entry) entry.open += 1;
      return () => {
        if (!entry) return;
        entry.open -= 1;
        entry.idleSinceMs = now();
      };
    },
    drop: (id) => void kept.delete(id),
    all: () => [...kept.values()].map(({ session }) => session),
  };
}
