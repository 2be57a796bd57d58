import { useEffect, useState } from 'react';
import { useLocation, useParams } from 'wouter';
import type { ShownLine } from './use-inbox.ts';

const isSame = (a: ShownLine, b: ShownLine | undefined): boolean => a.key === b?.key && a.result === b.result;

/** The line that the address names, if it names one. */
export function useWanted(): string | undefined {
  const { item, what } = useParams();
  return item === undefined ? undefined : `${item}/${what ?? 'hold'}`;
}

/**
 * The line that is looked at; the address names it. Only a person moves it: one that was answered, or left by itself,
 * stays until another is chosen, and an address whose line is gone says so instead of showing another one.
 */
export function useSelection(lines: readonly ShownLine[], isWhole: boolean) {
  const wanted = useWanted();
  const [, navigate] = useLocation();
  const [last, setLast] = useState<ShownLine>();
  const [cameByItself, setCameByItself] = useState(false);
  const select = (key: string | undefined): void => {
    setCameByItself(false);
    navigate(`/needs-you/${key ?? ''}`, { replace: true });
  };
  const found = lines.find(({ key }) => key === wanted);
  const left = found === undefined && last?.key === wanted ? last : undefined;
  const first = wanted === undefined ? lines[0] : undefined;
  const shown = found ?? left ?? first;
  if (shown && !isSame(shown, last)) setLast(shown);
  // What comes up where there was nothing was not asked for either.
  if (!shown && wanted === undefined && isWhole && !cameByItself) setCameByItself(true);
  const named = first?.key;
  useEffect(() => {
    if (named !== undefined) navigate(`/needs-you/${named}`, { replace: true });
  }, [named, navigate]);
  const isGone = shown === undefined && wanted !== undefined && isWhole;
  return { shown, hasLeft: left !== undefined, isGone, takesKeys: !cameByItself, select };
}

/** Where one goes from a line: `by` so many, and from the last one that is answered to what is still open. */
export function nextOf(lines: readonly ShownLine[], from: string | undefined, by: number): ShownLine | undefined {
  const at = lines.findIndex(({ key }) => key === from);
  const isOpen = ({ key, result }: ShownLine): boolean => key !== from && result === undefined;
  const next = at < 0 ? undefined : lines[at + by];
  if (next) return next;
  const here = lines[at];
  return here && here.result === undefined ? here : lines.find(isOpen);
}
