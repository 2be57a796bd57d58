import { useEffect, useState } from 'react';
import type { DiffFile, ParsedPart } from './diff-data.ts';
import { parseDiff } from './parse-diff.ts';

interface Parsed {
  readonly files: readonly DiffFile[];
  readonly done: boolean;
}

const NOTHING: Parsed = { files: [], done: false };

const PAUSE_MS = 0;

/** Where there are no workers: here, with a breath between the parts. */
async function parseHere(text: string, isCut: boolean, take: (part: ParsedPart) => boolean): Promise<void> {
  for (const part of parseDiff(text, isCut)) {
    if (!take(part)) return;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** The files of a diff, as they are read. What was shown of the one before stays until the first part is there. */
export function useParsed(text: string, isCut: boolean): Parsed {
  const [parsed, setParsed] = useState<Parsed>(NOTHING);
  useEffect(() => {
    let files: readonly DiffFile[] = [];
    let isWanted = true;
    const take = (part: ParsedPart): boolean => {
      if (!isWanted) return false;
      files = [...files, ...part.files];
      setParsed({ files, done: part.done });
      return true;
    };
    const worker = new Worker(new URL('./diff.worker.ts', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<ParsedPart>) => take(data);
    worker.onerror = () => {
      files = [];
      void parseHere(text, isCut, take);
    };
    worker.postMessage({ text, isCut });
    return () => {
      isWanted = false;
      worker.terminate();
    };
  }, [text, isCut]);
  return parsed;
}
