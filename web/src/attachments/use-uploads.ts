import { useEffect, useRef, useState } from 'react';
import type { ClientProblem } from '../../../src/client/index.ts';
import { sendFile } from './send-file.ts';
import { FILE_LIMITS, type SentFile } from './sent-file.ts';

/** Why a file was not even sent. */
export type TooMuch =
  | { readonly kind: 'too_large' | 'too_large_in_all'; readonly bytes: number }
  | { readonly kind: 'too_many' };

/** A file on its way, or one that did not get there. */
export interface Outgoing {
  readonly key: string;
  readonly file: File;
  /** 0 to 1. */
  readonly share: number;
  readonly problem?: ClientProblem;
  readonly tooMuch?: TooMuch;
}

export const isGoing = ({ problem, tooMuch }: Outgoing): boolean => problem === undefined && tooMuch === undefined;

const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0);

/** The server would refuse it too, after all of it was sent. */
function tooMuch(file: File, sent: readonly SentFile[], before: readonly Outgoing[]): TooMuch | undefined {
  const others = [...sent.map(({ bytes }) => bytes), ...before.map((each) => each.file.size)];
  if (file.size > FILE_LIMITS.eachBytes) return { kind: 'too_large', bytes: file.size };
  if (others.length >= FILE_LIMITS.count) return { kind: 'too_many' };
  const total = sum(others) + file.size;
  return total > FILE_LIMITS.allBytes ? { kind: 'too_large_in_all', bytes: total } : undefined;
}

export interface Uploads {
  readonly outgoing: readonly Outgoing[];
  readonly add: (files: readonly File[]) => void;
  readonly again: (outgoing: Outgoing) => void;
  readonly remove: (key: string) => void;
}

type ChangeFiles = (change: (now: readonly SentFile[]) => readonly SentFile[]) => void;

/** Sends files while the rest is typed; those that arrived join the others. */
export function useUploads(sent: readonly SentFile[], change: ChangeFiles): Uploads {
  const [outgoing, setOutgoing] = useState<readonly Outgoing[]>([]);
  const ends = useRef(new Map<string, AbortController>());
  useEffect(() => {
    const running = ends.current;
    return () => {
      for (const end of running.values()) end.abort();
    };
  }, []);
  const without = (key: string): void => setOutgoing((all) => all.filter((each) => each.key !== key));
  const put = (key: string, part: Partial<Outgoing>): void =>
    setOutgoing((all) => all.map((each) => (each.key === key ? { ...each, ...part } : each)));
  const send = async ({ key, file }: Outgoing): Promise<void> => {
    const end = new AbortController();
    ends.current.set(key, end);
    const arrived = await sendFile(file, { signal: end.signal, onProgress: (share) => put(key, { share }) });
    ends.current.delete(key);
    if (end.signal.aborted) return;
    if ('problem' in arrived) return put(key, { problem: arrived.problem });
    const { id, name, bytes, expiresAt } = arrived.upload;
    change((now) => [...now, { id, name, bytes, expiresAt }]);
    without(key);
  };
  const add = (files: readonly File[]): void => {
    const fresh: Outgoing[] = [];
    const going = outgoing.filter(isGoing);
    for (const file of files) {
      const why = tooMuch(file, sent, [...going, ...fresh.filter(isGoing)]);
      fresh.push({ key: crypto.randomUUID(), file, share: 0, ...(why ? { tooMuch: why } : {}) });
    }
    setOutgoing((all) => [...all, ...fresh]);
    for (const each of fresh) if (isGoing(each)) void send(each);
  };
  const again = ({ key, file }: Outgoing): void => {
    const once = { key, file, share: 0 };
    setOutgoing((all) => all.map((each) => (each.key === key ? once : each)));
    void send(once);
  };
  const remove = (key: string): void => {
    ends.current.get(key)?.abort();
    without(key);
  };
  return { outgoing, add, again, remove };
}
