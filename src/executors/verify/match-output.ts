import { open } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';

const LOOKED_AT_BYTES = 1024 * 1024;
const PATIENCE_MS = 10_000;

const CODE = `
const { parentPort, workerData } = require('node:worker_threads');
parentPort.postMessage(new RegExp(workerData.pattern, 'm').test(workerData.text));
`;

export type OutputMatch = 'matched' | 'not_matched' | 'invalid' | 'too_slow';

/**
 * Whether the end (1 MiB) of a log file matches a regular expression, `^` and `$` meeting at every line. In a thread of its own:
 * the expression is a person's, the text an executor's, and together they may take for ever.
 */
export async function matchOutput(logPath: string, pattern: string, patienceMs = PATIENCE_MS): Promise<OutputMatch> {
  const text = (await endOf(logPath)).replaceAll('\r\n', '\n');
  const worker = new Worker(CODE, { eval: true, workerData: { pattern, text } });
  let patience: NodeJS.Timeout | undefined;
  const answer = await new Promise<OutputMatch>((resolve) => {
    patience = setTimeout(() => resolve('too_slow'), patienceMs);
    worker.once('message', (found: boolean) => resolve(found ? 'matched' : 'not_matched'));
    worker.once('error', () => resolve('invalid'));
  });
  clearTimeout(patience);
  await worker.terminate();
  return answer;
}

async function endOf(path: string): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const length = Math.min(size, LOOKED_AT_BYTES);
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString('utf8');
  } finally {
    await file.close();
  }
}
