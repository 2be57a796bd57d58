import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { BROKEN } from '../../src/model/scripted/scenario.ts';
import { parseScenarioText } from '../../src/testing.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const document = readFileSync(join(root, 'docs/testing.md'), 'utf8');

/** The first block of the document in a language. */
function block(language: string): string {
  const text = new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\n\`\`\``).exec(document)?.[1];
  if (text === undefined) throw new Error(`docs/testing.md has no block of ${language}`);
  return text;
}

interface Ended {
  readonly failed: boolean;
  readonly output: string;
}

/** Runs the example in a directory that has our packages, with `workcenter/testing` as it is in the source. */
function runExample(files: Readonly<Record<string, string>>): Promise<Ended> {
  const directory = mkdtempSync(join(tmpdir(), 'testing-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  const args = ['--import', 'tsx', '--test', '--test-reporter=tap', 'ticket.test.js'];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: directory, timeout: 50_000 }, (error, stdout, stderr) =>
      resolve({ failed: error !== null, output: stdout + stderr }),
    );
  });
}

const fromSource = (code: string): string =>
  code.replace("'workcenter/testing'", JSON.stringify(new URL('../../src/testing.ts', import.meta.url).href));

const files = {
  'package.json': '{"type":"module"}',
  'ticket.yaml': block('yaml'),
  'ticket.test.js': fromSource(block('js')),
};

test('the example of the document runs as it is printed', async () => {
  const { failed, output } = await runExample(files);
  expect(failed, output).toBe(false);
  expect(output).toContain('# pass 1');
});

test('the example of the document fails when the prompt no longer says what it should', async () => {
  const prompt = { 'ticket.test.js': files['ticket.test.js'].replace('at the support desk', 'in the kitchen') };
  const { failed, output } = await runExample({ ...files, ...prompt });
  expect(failed).toBe(true);
  expect(output).toContain('looks first: asks /support desk/');
});

test('the failures of the document are a scenario, and all of them are told', () => {
  const failures = /```yaml\n( {2}- error:[\s\S]*?)\n```/.exec(document)?.[1] ?? '';
  expect(parseScenarioText(`name: failures\nsteps:\n${failures}`, 'failures.yaml')).toMatchObject({ ok: true });
  for (const broken of BROKEN) expect(document).toContain(`| \`${broken}\` |`);
});

test('the package serves workcenter/testing from what testing.ts becomes', () => {
  const data: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const testing = { types: './dist/testing.d.ts', default: './dist/testing.js' };
  expect(data).toMatchObject({ exports: { './testing': testing } });
});
