import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

const LIBRARY = createRequire(import.meta.url).resolve('html-to-text');

/** Some pages are written so that this takes for ever. */
const PATIENCE_MS = 10_000;

const CODE = `
const { parentPort, workerData } = require('node:worker_threads');
const { convert } = require(workerData.library);
const whole = (href) => {
  try { return new URL(href, workerData.base).href; } catch { return href; }
};
const skip = (selector) => ({ selector, format: 'skip' });
parentPort.postMessage(convert(workerData.html, {
  wordwrap: false,
  limits: { maxInputLength: 8 * 1024 * 1024, maxDepth: 200 },
  selectors: [
    { selector: 'a', options: { pathRewrite: whole, hideLinkHrefIfSameAsText: true, noAnchorUrl: true } },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    ...['img', 'script', 'style', 'noscript', 'svg', 'template', 'iframe'].map(skip),
  ],
}));
`;

/**
 * The text of a page with its links; null if it cannot be made out. In a thread of its own: pages are large, strangers
 * write them, and nothing else may wait meanwhile. Rejects with the signal's reason.
 */
export async function htmlText(
  html: string,
  base: string,
  signal: AbortSignal,
  patienceMs = PATIENCE_MS,
): Promise<string | null> {
  signal.throwIfAborted();
  const worker = new Worker(CODE, {
    eval: true,
    workerData: { library: LIBRARY, html, base },
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });
  let stop = () => {};
  let patience: NodeJS.Timeout | undefined;
  try {
    return await new Promise<string | null>((resolve, reject) => {
      stop = () => reject(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
      patience = setTimeout(() => resolve(null), patienceMs);
      worker.once('message', (text: string) => resolve(text));
      worker.once('error', () => resolve(null));
      worker.once('exit', () => resolve(null));
    });
  } finally {
    clearTimeout(patience);
    signal.removeEventListener('abort', stop);
    await worker.terminate();
  }
}
