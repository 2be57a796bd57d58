import { useEffect, useState } from 'react';
import { serverNow } from '../shell/server-clock.ts';

const SECOND = 1_000;

/** Now by the server's clock in epoch milliseconds, each second anew while something runs; it stands still otherwise. */
export function useTick(isRunning: boolean): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    if (!isRunning) return undefined;
    setNow(serverNow());
    const timer = setInterval(() => setNow(serverNow()), SECOND);
    return () => clearInterval(timer);
  }, [isRunning]);
  return now;
}
