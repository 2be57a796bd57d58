import { useEffect, useState } from 'react';
import { useLocation, useParams } from 'wouter';
import type { ShownLine } from './use-inbox.ts';

/** What was looked at last, and where in the list it stood. */
interface Last {
  readonly shown: ShownLine;
  readonly at: number;
}

const isSame = (a: ShownLine, b: ShownLine | undefined): boolean => a.key === b?.key && a.result === b.result;

/**
 * The line that is looked at; the address names it. One that was answered from here makes room for the next; one that
 * left by itself stays until another is chosen, so that nothing vanishes under a hand.
 */
export function useSelection(lines: readonly ShownLine[]) {
  const { item, what } = useParams();
  const [, navigate] = useLocation();
  const [last, setLast] = useState<Last>();
  const select = (key: string | undefined): void => navigate(`/needs-you/${key ?? ''}`, { replace: true });
  const wanted = item === undefined ? undefined : `${item}/${what ?? 'hold'}`;
  const found = lines.find(({ key }) => key === wanted);
  const isLast = last !== undefined && last.shown.key === wanted;
  const left = found === undefined && isLast && last.shown.result === undefined ? last.shown : undefined;
  const shown = found ?? left ?? lines[Math.min(last?.at ?? 0, lines.length - 1)];
  const at = lines.findIndex(({ key }) => key === shown?.key);
  if (shown && at >= 0 && (!isSame(shown, last?.shown) || at !== last?.at)) setLast({ shown, at });
  const named = shown?.key;
  useEffect(() => {
    if (named !== undefined && named !== wanted) navigate(`/needs-you/${named}`, { replace: true });
  }, [named, wanted, navigate]);
  return { shown, hasLeft: left !== undefined, select };
}
