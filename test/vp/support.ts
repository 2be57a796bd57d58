import { parseVp } from '../../src/vp/parse-vp.ts';
import type { Vp, VpSource } from '../../src/vp/vp.ts';

/** A sound VP with what the test is about. */
export const vp = (id: string, capabilities: readonly string[] = ['other'], rest: Partial<Vp> = {}): Vp => ({
  id,
  name: `Name of ${id}`,
  role: 'Does things',
  persona: 'You do things.',
  capabilities,
  executor: { kind: 'agent' },
  source: { kind: 'project', path: `/p/${id}.md` },
  hash: '0',
  ...rest,
});

export const OWN: VpSource = { kind: 'project', path: '/p/.workcenter/vps/api.md' };
export const CLAUDE: VpSource = { kind: 'claude-agents', path: '/p/.claude/agents/agent.md' };

/** A file with the given lines of front matter. */
export const file = (head: string, persona = 'You look at interfaces.'): string => `---\n${head}\n---\n\n${persona}\n`;

export const HEAD = 'name: API reviewer\nrole: Looks at interfaces\ncapabilities: [review, api design]';

/** The VP in the text; fails the test when there is none. */
export function parsed(text: string, source: VpSource = OWN): Vp {
  const result = parseVp(text, source);
  if (!result.ok) throw new Error(JSON.stringify(result.problems, null, 2));
  return result.vp;
}

/** `field: expected` of every problem. */
export function problemsOf(text: string, source: VpSource = OWN): readonly string[] {
  const result = parseVp(text, source);
  return result.ok ? [] : result.problems.map(({ field, expected }) => `${field}: ${expected}`);
}
