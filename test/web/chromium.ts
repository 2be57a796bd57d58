import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const PLACES = [
  ...(process.env.PATH ?? '').split(delimiter),
  '/Applications/Google Chrome.app/Contents/MacOS',
  '/Applications/Chromium.app/Contents/MacOS',
];

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The browser of this machine: `CHROMIUM_PATH`, or one under the usual names. */
export function chromiumPath(): string | undefined {
  const { CHROMIUM_PATH: told = '' } = process.env;
  if (told !== '') return told;
  const mac = ['Google Chrome', 'Chromium'];
  return PLACES.flatMap((place) => [...NAMES, ...mac].map((name) => join(place, name))).find(isProgram);
}

/** Behind the name of a test file's `describe`: why its tests are skipped, where they are. */
export const CHROMIUM = chromiumPath();
export const WITHOUT = CHROMIUM === undefined ? ' (skipped: no Chromium; install one, or set CHROMIUM_PATH)' : '';

/** Where tests run as root, as in a container, Chromium has no sandbox of its own. */
export function launchChromium(): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error('no Chromium');
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}
