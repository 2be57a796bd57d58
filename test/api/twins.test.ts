import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { expect, it } from 'vitest';
import { openApiDocument } from '../../scripts/client/open-api-document.ts';
import { METHODS } from '../../src/api/document.ts';
import { CATALOG } from '../../src/cli/catalog.ts';

const page = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8');
const [, section = ''] = /^## Commands and their routes\n([\s\S]*?)^## /m.exec(page) ?? [];

interface Row {
  readonly commands: readonly string[];
  readonly answer: string;
}

const rows: readonly Row[] = [...section.matchAll(/^\| (`.*?) \| (.*) \|$/gm)].map(([, left = '', answer = '']) => ({
  commands: [...left.matchAll(/`([^`]+)`/g)].map(([, command = '']) => command),
  answer,
}));

const routes = new Set(
  Object.entries(openApiDocument().paths ?? {}).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => `${method.toUpperCase()} ${path.replace('/api/v1', '')}`),
  ),
);

const routesIn = (answer: string): readonly string[] =>
  [...answer.matchAll(/`([A-Z]+ [^`]+)`/g)].map(([, route = '']) => route.replace('…', '/work-items/{id}'));

/** A command, or each of its verbs where it has some. */
async function commandsOf({ name, load }: (typeof CATALOG)[number]): Promise<readonly string[]> {
  const command = new Command();
  (await load()).define(command);
  const verb = command.registeredArguments.find((argument) => argument.name() === 'verb');
  const words = verb?.description.replace('(default)', '').split(/, | or /) ?? [];
  return words.length === 0 ? [name] : words.map((word) => `${name} ${word.trim()}`);
}

it('names for every command, and every verb of one, its routes or the reason why there is none', async () => {
  const wanted = (await Promise.all(CATALOG.map(commandsOf))).flat();
  expect(rows.flatMap(({ commands }) => commands).toSorted()).toEqual(wanted.toSorted());
  for (const { commands, answer } of rows) {
    const told = routesIn(answer).length > 0 || /^none: .{15,}/.test(answer);
    expect(told, commands.join()).toBe(true);
  }
});

it('names only routes that there are, and leaves out none that changes something', () => {
  const named = new Set(rows.flatMap(({ answer }) => routesIn(answer)));
  expect([...named].filter((route) => !routes.has(route))).toEqual([]);
  expect([...routes].filter((route) => !route.startsWith('GET') && !named.has(route))).toEqual([]);
});
