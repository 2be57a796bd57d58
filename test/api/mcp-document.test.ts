import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const PAGE = readFileSync(new URL('../../docs/mcp.md', import.meta.url), 'utf8');
const [, configuration = ''] = PAGE.split('\n## Configuration\n');

interface Snippet {
  readonly client: string;
  readonly language: string;
  readonly text: string;
}

const snippets: readonly Snippet[] = configuration.split('\n### ').flatMap((section) => {
  const client = section.slice(0, section.indexOf('\n'));
  return [...section.matchAll(/```(\w+)\n(.*?)```/gs)].map(([, language = '', text = '']) => ({
    client,
    language,
    text,
  }));
});

/** Tables and keys whose values are written as in JSON: as much of TOML as the examples need, and no more. */
function tomlOf(text: string): unknown {
  const root: Record<string, unknown> = {};
  let table = root;
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const [, header] = /^\[([\w.]+)\]$/.exec(line) ?? [];
    const [, key, value] = /^(\w+) = (.+)$/.exec(line) ?? [];
    if (header === undefined && (key === undefined || value === undefined)) throw new Error(`no TOML: ${line}`);
    if (header === undefined) table[String(key)] = JSON.parse(String(value));
    else root[header] = table = {};
  }
  return root;
}

const parsed = ({ language, text }: Snippet): unknown => (language === 'toml' ? tomlOf(text) : JSON.parse(text));

/** Every text in a value, wherever it stands. */
const textsIn = (value: unknown): readonly string[] =>
  typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(textsIn);

describe('docs/mcp.md', () => {
  it('configures the usual clients for both ways, Claude Desktop for the one that it has', () => {
    const both = ['Claude Code', 'Cursor', 'VS Code', 'OpenCode', 'Qwen Code', 'Codex CLI'];
    const expected = ['Claude Desktop', ...both.flatMap((name) => [name, name])];
    expect(snippets.map(({ client }) => client).sort()).toEqual(expected.sort());
  });

  it.each(snippets.map((snippet, at) => ({ ...snippet, at })))(
    'gives $client a configuration that can be read ($at)',
    (snippet) => {
      const texts = textsIn(parsed(snippet));
      const url = texts.find((one) => one.startsWith('http:'));
      if (url === undefined) return expect(texts.join(' ')).toMatch(/workcenter mcp$/);
      expect(url).toBe('http://127.0.0.1:7420/mcp');
      return expect(texts.join(' ')).toMatch(/WORKCENTER_TOKEN|workcenter-token/);
    },
  );
});
