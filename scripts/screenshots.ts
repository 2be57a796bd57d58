/**
 * Takes the pictures of the documentation: a page with work that is finished, that is being done and that waits, in the
 * light and the dark theme and as wide as a phone. What is seen is real work of the scripted model; nothing is painted.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { DESK, PHONE } from '../test/web/browser.ts';
import { launchChromium } from '../test/web/chromium.ts';
import { openShowcase, type Showcase } from '../test/web/showcase.ts';

const ROOT = resolve(import.meta.dirname, '..');
const IMAGES = join(ROOT, 'docs', 'images');
const MOST_BYTES = 200_000;

type Name = 'board' | 'create' | 'item' | 'action' | 'run' | 'diff' | 'inbox' | 'settings';

/** Everything has come, and nothing moves. */
async function calm(page: Page): Promise<void> {
  await page.getByRole('main').getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForTimeout(700);
}

async function fillForm(page: Page, { invoices }: Showcase): Promise<void> {
  await page.getByRole('textbox', { name: 'Goal', exact: true }).fill('Orders of two currencies are summed apart.');
  await page.getByRole('combobox', { name: 'Directory' }).fill(invoices);
  await page.keyboard.press('Escape');
  await page.getByRole('textbox', { name: 'Criterion c1' }).fill('No sum mixes currencies');
  await page.getByRole('textbox', { name: 'Check of c1' }).fill('npm test');
  await page.getByRole('textbox', { name: 'Set-up command' }).fill('npm ci --offline');
  await page.getByRole('button', { name: 'Run this check now' }).click();
  await page
    .getByText(/exit \d/)
    .first()
    .waitFor();
}

interface Place {
  readonly path: (show: Showcase) => string;
  readonly prepare?: (page: Page, show: Showcase) => Promise<void>;
}

const onPane = async (page: Page): Promise<void> => {
  const tab = page.getByRole('tab', { name: 'Content', exact: true });
  if (await tab.isVisible()) await tab.click();
};

const PLACES: Readonly<Record<Name, Place>> = {
  board: { path: () => '/' },
  create: { path: () => '/new', prepare: fillForm },
  item: { path: ({ done }) => `/work/${done}` },
  action: { path: ({ done }) => `/work/${done}/actions/quotes`, prepare: onPane },
  run: { path: ({ done, run }) => `/work/${done}/actions/quotes/runs/${run}`, prepare: onPane },
  diff: { path: ({ done }) => `/work/${done}/diff`, prepare: onPane },
  inbox: { path: () => '/needs-you' },
  settings: { path: () => '/settings' },
};

const LOOKS = {
  light: { viewport: DESK, colorScheme: 'light' },
  dark: { viewport: DESK, colorScheme: 'dark' },
  phone: { viewport: PHONE, colorScheme: 'light', hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
} as const;

async function take(show: Showcase, wanted: readonly string[]): Promise<void> {
  const browser = await launchChromium();
  try {
    for (const [look, how] of Object.entries(LOOKS)) {
      const context = await browser.newContext({ ...how, locale: 'en-GB', reducedMotion: 'reduce' });
      const page = await context.newPage();
      for (const [name, { path, prepare }] of Object.entries(PLACES)) {
        if (wanted.length > 0 && !wanted.includes(name)) continue;
        await page.goto(show.world.url + path(show));
        await calm(page);
        await prepare?.(page, show);
        await page.waitForTimeout(300);
        const file = join(IMAGES, `${name}-${look}.png`);
        await page.screenshot({ path: file });
        const { length } = readFileSync(file);
        console.log(`${name}-${look}.png ${Math.round(length / 1000)} kB${length > MOST_BYTES ? ' TOO LARGE' : ''}`);
      }
      await context.close();
    }
  } finally {
    await browser.close();
  }
}

mkdirSync(IMAGES, { recursive: true });
const show = await openShowcase();
try {
  await take(show, process.argv.slice(2));
} finally {
  await show.close();
}
