const TOOLS = [
  'read',
  'write',
  'edit',
  'apply_patch',
  'glob',
  'grep',
  'list',
  'git_read',
  'shell',
  'web_fetch',
  'view_image',
  'skill',
  'mcp',
] as const;

/** A tool of the built-in agent, or one tool of an MCP server (`mcp__server__tool`); `mcp` alone means all of those. */
export type ToolName = (typeof TOOLS)[number] | `mcp__${string}`;

export const TOOL_NAMES: readonly ToolName[] = Object.freeze([...TOOLS]);

/** What Claude Code calls its tools, and what gives the same here; never more than was asked for. */
const CLAUDE_NAMES: ReadonlyMap<string, readonly ToolName[]> = new Map<string, readonly ToolName[]>([
  ['Read', ['read', 'view_image']],
  ['Write', ['write']],
  ['Edit', ['edit', 'apply_patch']],
  ['MultiEdit', ['edit', 'apply_patch']],
  ['Bash', ['shell', 'git_read']],
  ['Grep', ['grep']],
  ['Glob', ['glob', 'list']],
  ['LS', ['list']],
  ['WebFetch', ['web_fetch']],
  ['Skill', ['skill']],
]);

const MCP_TOOL = /^mcp__[A-Za-z0-9_-]{1,120}$/;

const isOwn = (name: string): name is (typeof TOOLS)[number] => TOOLS.some((tool) => tool === name);
const isMcpTool = (name: string): name is `mcp__${string}` => MCP_TOOL.test(name);

/** Our tools for a name of ours or of Claude Code; nothing for one that has no equal here. */
export function toolsFor(name: string): readonly ToolName[] {
  if (isOwn(name) || isMcpTool(name)) return [name];
  return CLAUDE_NAMES.get(name) ?? [];
}

/** Our tools for a list of names, each once, in the order of their first mention. */
export const toolsForAll = (names: readonly string[]): readonly ToolName[] => [...new Set(names.flatMap(toolsFor))];

/** Names in a list, or in one text between commas; a comma inside brackets, as in `Bash(a, b)`, separates nothing. */
export function splitToolNames(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return value
    .split(/,(?![^(]*\))/)
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
