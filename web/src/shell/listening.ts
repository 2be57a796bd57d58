const LOCK = 'workcenter.feed';

/**
 * Says whether this tab is to listen: while it is in sight, or when it is the one that listens for those that are not,
 * so that somebody notices what happens. A browser keeps few connections to a server, and twenty tabs would use them
 * up. Answers how to stop.
 */
export function whileListening(change: (listens: boolean) => void): () => void {
  const over = new AbortController();
  let isChosen = false;
  let listens: boolean | undefined;
  const look = (): void => {
    const next = !document.hidden || isChosen;
    if (next === listens || over.signal.aborted) return;
    listens = next;
    change(next);
  };
  const hold = (): Promise<void> => {
    isChosen = true;
    look();
    return new Promise((resolve) => over.signal.addEventListener('abort', () => resolve(), { once: true }));
  };
  // Over plain HTTP from another machine there are no locks: then only tabs in sight listen.
  navigator.locks?.request(LOCK, { signal: over.signal }, hold).catch(() => undefined);
  document.addEventListener('visibilitychange', look);
  look();
  return () => {
    over.abort();
    document.removeEventListener('visibilitychange', look);
  };
}
