import { parseDiff } from './parse-diff.ts';

/** Reads diffs beside the page, so that a long one never stops it. */
self.onmessage = ({ data }: MessageEvent<{ readonly text: string; readonly isCut: boolean }>) => {
  for (const part of parseDiff(data.text, data.isCut)) self.postMessage(part);
};
