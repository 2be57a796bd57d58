import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { CATALOG } from '../../src/cli/catalog.ts';

const ROOT = new URL('../../', import.meta.url);
const document = readFileSync(new URL('docs/cli.md', ROOT), 'utf8');
const readme = readFileSync(new URL('README.md', ROOT), 'utf8');

/** What the document says of a command. */
const sectionOf = (name: string): string =>
  document.split(/^## /m).find((section) => section.startsWith(`${name}\n`)) ?? '';

const help = async (load: (typeof CATALOG)[number]['load']) => {
  const { define, examples, userOnly } = await load();
  const command = new Command();
  define(command);
  return { flags: command.options.map(({ long }) => long ?? ''), examples, userOnly };
};

describe('the document of the command line', () => {
  test.each(CATALOG)(
    'has a section on $name with each of its options, and says who may use it',
    async ({ name, load }) => {
      const { flags, examples, userOnly } = await help(load);
      const section = sectionOf(name);
      expect(flags.filter((flag) => !section.includes(flag))).toEqual([]);
      expect(section.includes('**person**') || !userOnly).toBe(true);
      expect(examples.length).toBeGreaterThan(0);
    },
  );

  test('has no section on a command that does not exist', () => {
    const sections = [...document.matchAll(/^## (\S+)$/gm)].map(([, name]) => name);
    expect(sections.toSorted()).toEqual(CATALOG.map(({ name }) => name).toSorted());
  });

  test('has its commands in the overview of the README', () => {
    const overview = readme.slice(readme.indexOf('## Commands'), readme.indexOf('### Exit codes'));
    expect(CATALOG.filter(({ name }) => !overview.includes(`\`${name}\``)).map(({ name }) => name)).toEqual([]);
  });
});
