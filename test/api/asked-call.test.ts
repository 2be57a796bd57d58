import { expect, it } from 'vitest';
import { itemView } from '../../src/api/mcp/views.ts';
import { requestView } from '../../src/api/views/entry.ts';
import type { HumanRequest } from '../../src/core/index.ts';
import { visible } from '../../src/text/visible.ts';
import { coordinated } from '../core/coordinator.ts';

const about = (more: Readonly<Record<string, string>>) => {
  const subject = { actionId: 'a', generation: 1, tool: 'shell', call: 'git tag v1', directory: '/r', key: 'k' };
  const request: HumanRequest = {
    ...{ id: 'r1', kind: 'approval', question: 'Allow it?', details: [], choices: ['approve', 'deny'], openedAt: 0 },
    subject: { kind: 'tool_approval', ...subject, pattern: '', ...more },
  };
  const state = { ...coordinated().item, requests: [request] };
  return { http: requestView(state, request).subject, mcp: itemView(state).requests[0] };
};

it('is told whole over HTTP and MCP, and where only a line of it is known, that is told', () => {
  const whole = 'git tag v1\necho \u202ehidden';
  expect(about({ whole })).toMatchObject({ http: { whole }, mcp: { call: 'git tag v1\necho [U+202E]hidden' } });
  const known = about({});
  expect(known.http).toMatchObject({ call: 'git tag v1', whole: null });
  expect(known.mcp).not.toHaveProperty('call');
});

it('names what is obeyed or not seen, and leaves writing as it is written', () => {
  const hidden = 'a\u202eb\u2066c\u200bd\u00ade\u{e0041}f\rg\u001bh\u3164i\u200d\u200dj\ud800k';
  const told = visible(hidden);
  expect(told.replace(/\[U\+[0-9A-F]{4,5}\]/g, '')).toBe('abcdefghijk');
  expect(told.match(/\[/g)).toHaveLength(11);
  expect(visible(told)).toBe(told);
  for (const written of ['tab\tand\nline', 'می\u200cخواهم', '👩\u200d💻', '❤\ufe0f', 'עברית', '日本語'])
    expect(visible(written)).toBe(written);
});
