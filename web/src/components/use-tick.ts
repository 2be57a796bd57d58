import { useEffect, useState } from 'react';

const SECOND = 1_000;

/** Now in epoch milliseconds, each second anew while something runs; it stands still otherwise. */
export function useTick(isRunning: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isRunning) return undefined;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), SECOND);
    return () => clearInterval(timer);
  }, [isRunning]);
  return now;
}
