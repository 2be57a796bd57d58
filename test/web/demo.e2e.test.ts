import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compiledProgram, install } from '../cli/program.ts';
import { until } from '../support/until.ts';
import { visitor } from './browser.ts';
import { CHROMIUM, WITHOUT } from './chromium.ts';

describe.skipIf(CHROMIUM === undefined)(`workcenter demo --open${WITHOUT}`, () => {
  compiledProgram({ page: true });
  const at = visitor();

  it('opens the page, on which the same run is live until it is done, and keeps it until it is interrupted', async () => {
    const program = await install();
    const opened = join(program.root, 'opened');
    const browser = await program.write('browser', `#!/bin/sh\necho "$1" > '${opened}'\n`);
    await chmod(browser, 0o755);
    const env = { BROWSER: browser };
    const demo = program.start(['demo', '--scripted', '--open', '--dir', join(program.root, 'demo')], { env });
    await demo.says('Page: ');
    await until('the browser is opened', async () => (await readFile(opened, 'utf8').catch(() => '')) !== '');
    const page = await at.visit((await readFile(opened, 'utf8')).trim());
    await page
      .getByRole('link', { name: /invoices/ })
      .first()
      .click();
    await page.getByText('completed').first().waitFor({ timeout: 40_000 });
    await page.getByText('Done. 4 of 4 proven').first().waitFor({ timeout: 40_000 });
    await demo.says('until Ctrl-C');
    demo.child.kill('SIGINT');
    expect((await demo.ended).code).toBe(0);
  }, 120_000);
});
