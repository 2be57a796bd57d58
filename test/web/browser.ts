import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { launchChromium } from './chromium.ts';

/** How wide a page is looked at, and how. */
export const DESK = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };

/** A hang guard; what is waited for comes in milliseconds. */
const GUARD_MS = 10_000;

export interface Visitor {
  /** A page in a browser profile of its own; `url` is visited. */
  visit(url: string, how?: BrowserContextOptions): Promise<Page>;
  /** A second tab beside another page: the same storage. */
  beside(page: Page, url: string): Promise<Page>;
  /** A complaint like this is what the test is about. */
  expect(complaint: RegExp): void;
}

/** What a test that failed saw last. */
async function picture(pages: readonly Page[]): Promise<void> {
  for (const [n, page] of pages.entries()) {
    const path = join(tmpdir(), `workcenter-page-${process.pid}-${n}.png`);
    await page.screenshot({ path }).catch(() => undefined);
    console.error(`${page.url()} looked like ${path}`);
  }
}

/**
 * One browser for a test file, a fresh profile for every page. A page that throws, or that the browser complains about,
 * fails the test.
 */
export function visitor(): Visitor {
  let browser: Browser | undefined;
  const complaints: string[] = [];
  const expected: RegExp[] = [];
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await picture(browser?.contexts().flatMap((context) => context.pages()) ?? []);
    for (const context of browser?.contexts() ?? []) await context.close();
    const forgiven = expected.splice(0);
    const told = complaints.splice(0).filter((complaint) => !forgiven.some((each) => each.test(complaint)));
    expect(told).toEqual([]);
  });
  afterAll(() => browser?.close());
  const listen = (page: Page): Page => {
    page.setDefaultTimeout(GUARD_MS);
    page.on('pageerror', (error) => complaints.push(`threw: ${error.message}`));
    page.on('console', (message) => {
      // The browser itself writes down every answer that is not a success; those are the page's to show.
      const isAnswer = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !isAnswer) complaints.push(message.text());
    });
    return page;
  };
  const go = async (page: Page, url: string): Promise<Page> => {
    await page.goto(url);
    return page;
  };
  return {
    expect: (complaint) => void expected.push(complaint),
    async visit(url, how = {}) {
      if (!browser) throw new Error('the browser was not started');
      const context = await browser.newContext({ viewport: DESK, locale: 'en-GB', ...how });
      return go(listen(await context.newPage()), url);
    },
    beside: async (page, url) => go(listen(await page.context().newPage()), url),
  };
}
