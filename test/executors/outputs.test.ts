import { describe, expect, it } from 'vitest';
import { normaliseEvidence } from '../../src/executors/outcome/normalise-evidence.ts';
import { normaliseOutputs } from '../../src/executors/outcome/normalise-outputs.ts';

type Kind = 'file' | 'link' | 'pr' | 'commit';
const refsOf = (kind: Kind, ref: string): string[] =>
  normaliseOutputs([{ kind, ref }]).outputs.map((output) => output.ref);

describe('outputs', () => {
  it.each<[Kind, string, string]>([
    ['file', 'src/über a.ts', 'src/über a.ts'],
    ['file', '.\\dist\\a.js', 'dist/a.js'],
    ['link', 'https://example.org/a?b=1#c', 'https://example.org/a?b=1#c'],
    ['pr', 'https://example.org/ada/x/pull/7', 'https://example.org/ada/x/pull/7'],
    ['pr', 'https://example.org/a/b/c/-/merge_requests/7', 'https://example.org/a/b/c/-/merge_requests/7'],
    ['pr', 'https://example.org/ada/x/pull-requests/7', 'https://example.org/ada/x/pull-requests/7'],
    [
      'pr',
      'https://example.org/projects/A/repos/x/pull-requests/7/overview',
      'https://example.org/projects/A/repos/x/pull-requests/7',
    ],
    ['pr', 'https://example.org/org/team/_git/x/pullrequest/7', 'https://example.org/org/team/_git/x/pullrequest/7'],
    ['commit', 'ABCDEF1', 'abcdef1'],
    ['commit', 'refs/heads/main', 'refs/heads/main'],
  ])('accept %s %s (V41, chapter 2 D17, D19)', (kind, ref, expected) => {
    expect(refsOf(kind, ref)).toEqual([expected]);
  });

  it.each<[Kind, string]>([
    ['file', '/etc/passwd'],
    ['file', '../x'],
    ['file', 'a/./b'],
    ['file', 'a//b'],
    ['file', 'C:\\x'],
    ['file', 'file:x'],
    ['file', 'a%2e%2e/b'],
    ['file', 'a\u0000b'],
    ['file', ''],
    ['link', 'ftp://example.org/a'],
    ['link', 'https://u:p@example.org/a'],
    ['link', 'https://example.org/a?access_token=1'],
    ['link', 'https://example.org/a#id_token=1'],
    ['link', 'https://example.org/a?next=%2Fb%3Ftoken%3D1'],
    ['link', 'https://example.org/a?x=%25252525'],
    ['link', 'https://example.org/a?x=%ff'],
    ['pr', 'https://example.org/ada/x/pull/0'],
    ['pr', 'https://example.org/ada/x/pull/7/files'],
    ['pr', 'https://example.org/ada/x/pull/7?a=1'],
    ['pr', 'https://example.org/ada//x/pull/7'],
    ['pr', 'https://example.org/ada/x/../pull/7'],
    ['pr', 'src/a.ts'],
    ['commit', 'abc'],
    ['commit', 'main'],
    ['commit', 'refs/heads/a..b'],
    ['commit', 'https://example.org/abcdef1'],
  ])('refuse %s %s and say so (V41, chapter 2 D19)', (kind, ref) => {
    const { outputs, refused } = normaliseOutputs([{ kind, ref }]);
    expect(outputs).toEqual([]);
    expect(refused).toHaveLength(1);
  });

  it('count once by kind and reference', () => {
    const given = [{ kind: 'file', ref: 'a' } as const, { kind: 'file', ref: './a' } as const];
    expect(normaliseOutputs(given).outputs).toEqual([{ kind: 'file', ref: 'a' }]);
  });
});

it('evidence of any usable shape is kept, the rest skipped, fifty at most', () => {
  const given = [
    'seen',
    { tool: 'grep', isError: true },
    { kind: 'test', label: 'suite', status: 'passed', ref: 'r' },
    { kind: 'test', label: 'odd', status: 'green' },
    { kind: 'rumour', label: 'x' },
    { kind: 'test' },
    7,
    null,
  ];
  expect(normaliseEvidence(given)).toEqual([
    { kind: 'text', label: 'seen' },
    { kind: 'tool', label: 'grep', status: 'error' },
    { kind: 'test', label: 'suite', status: 'passed', ref: 'r' },
    { kind: 'test', label: 'odd' },
  ]);
  expect(normaliseEvidence(Array.from({ length: 60 }, () => 'x'))).toHaveLength(50);
});
