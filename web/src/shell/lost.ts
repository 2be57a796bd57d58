import { useEffect, useState } from 'react';
import { useConnection } from './live.ts';

/** A server that starts again in less time was never missed. */
const PATIENCE_MS = 800;

/** When the server was last heard, as soon as that is worth telling; null while all is well. Epoch milliseconds. */
export function useLostForLong(): number | null {
  const { state, lostAt } = useConnection();
  const [told, setTold] = useState<number | null>(null);
  const isLost = state === 'lost';
  useEffect(() => {
    if (!isLost) return setTold(null);
    const timer = setTimeout(() => setTold(lostAt), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [isLost, lostAt]);
  return isLost ? told : null;
}
