import { basename } from 'node:path';
import type { z } from 'zod';
import { sha256Hex } from '../store/sha256.ts';
import { CLAUDE_MODELS, fromClaude, readClaudeYaml } from './claude-agent.ts';
import { readYaml, splitFrontMatter } from './front-matter.ts';
import { toolsForAll } from './tool-names.ts';
import { isVpId, VP_LIMITS, type Vp, type VpExecutor, type VpSource } from './vp.ts';
import { describeFound, type VpComplaint, type VpProblem, vpProblem } from './vp-problem.ts';
import { personaFault, VP_KEYS, type VpFields, vpSchema } from './vp-schema.ts';

export type ParsedVp =
  | {
      readonly ok: true;
      readonly vp: Vp;
      /** Tools of Claude Code that the file names and that have no equal here. */
      readonly ignoredTools: readonly string[];
    }
  | {
      readonly ok: false;
      /** The VP it was meant to be, as far as that can be told. */
      readonly id: string;
      readonly problems: readonly VpProblem[];
    };

type Data = Readonly<Record<string, unknown>>;

const EXAMPLE = 'Begin the file with a line ---, then name, role and capabilities, another line ---, and the persona.';

/**
 * Reads the markdown file of a VP. Never throws for what is in the text: every problem is reported at once, in the
 * order of the keys. A file in `.claude/agents` is read as Claude Code reads it, unknown keys included; in our own
 * folders an unknown key is refused. Without an `id` the name of the file is the id.
 */
export function parseVp(text: string, source: VpSource): ParsedVp {
  const stem = source.path === undefined ? '' : basename(source.path, '.md');
  const refuse = (id: string, complaints: readonly VpComplaint[]): ParsedVp => ({
    ok: false,
    id,
    problems: complaints.map((complaint) => vpProblem(source.path ?? 'a built-in VP', complaint)),
  });
  const isClaude = source.kind === 'claude-agents';
  const read = isTooLarge(text) ? TOO_LARGE : readParts(text, isClaude);
  if ('expected' in read) return refuse(stem, [read]);
  const { data, persona } = read;
  const claude = isClaude ? fromClaude(data) : undefined;
  const fields = claude?.fields ?? (Object.hasOwn(data, 'id') ? data : { id: stem, ...data });
  const checked = check(fields, persona);
  if (checked.ok) {
    return { ok: true, vp: assemble(checked.fields, persona, source, text), ignoredTools: claude?.ignoredTools ?? [] };
  }
  const complaints = isClaude ? checked.complaints.map(inTheirTerms) : checked.complaints;
  return refuse(claimedId(fields, stem), complaints);
}

const TOO_LARGE: VpComplaint = { field: '', expected: `at most ${VP_LIMITS.fileBytes} bytes`, found: 'more' };
const NO_FRONT_MATTER: VpComplaint = {
  field: '',
  expected: 'front matter between two lines ---',
  found: 'none',
  next: EXAMPLE,
};

/** The front matter as data and the persona below it, or why the file has none. */
function readParts(text: string, isClaude: boolean): VpComplaint | { readonly data: Data; readonly persona: string } {
  const parts = splitFrontMatter(text);
  if (!parts) return NO_FRONT_MATTER;
  const yaml = isClaude ? readClaudeYaml(parts.head) : readYaml(parts.head);
  if (yaml.ok) return { data: yaml.data, persona: parts.body.trim() };
  return { field: '', expected: yaml.expected, found: yaml.found, next: 'Correct the front matter.' };
}

/** Characters first: counting the bytes of a huge text is work that its length already makes pointless. */
const isTooLarge = (text: string): boolean =>
  text.length > VP_LIMITS.fileBytes || new TextEncoder().encode(text).length > VP_LIMITS.fileBytes;

const claimedId = ({ id }: Data, stem: string): string => (typeof id === 'string' && isVpId(id) ? id : stem);

type Checked =
  | { readonly ok: true; readonly fields: VpFields }
  | { readonly ok: false; readonly complaints: readonly VpComplaint[] };

function check(data: Data, persona: string): Checked {
  const parsed = vpSchema.safeParse(data);
  const isCommand = typeof data.executor === 'object' && data.executor !== null;
  const fault = personaFault(persona, isCommand);
  const complaints = [
    ...(parsed.success ? [] : parsed.error.issues.flatMap((issue) => complaintsOf(issue, data))),
    ...(isCommand ? ofAgentsOnly(data) : []),
    ...(fault === undefined ? [] : [{ field: 'persona', expected: fault, found: sizeOf(persona) }]),
  ];
  if (parsed.success && complaints.length === 0) return { ok: true, fields: parsed.data };
  return { ok: false, complaints: once(complaints) };
}

const sizeOf = (persona: string): string => (persona === '' ? 'nothing' : `${persona.length} characters`);

/** A command chooses its model and tools itself; saying otherwise here would promise what nobody keeps. */
function ofAgentsOnly(data: Data): readonly VpComplaint[] {
  return ['model', 'effort', 'tools']
    .filter((field) => Object.hasOwn(data, field))
    .map((field) => ({
      field,
      expected: 'nothing beside a command',
      found: describeFound(data[field]),
      next: `Remove ${field}.`,
    }));
}

function complaintsOf(issue: z.core.$ZodIssue, data: Data): readonly VpComplaint[] {
  if (issue.code === 'unrecognized_keys') {
    const expected = `one of ${VP_KEYS.join(', ')}`;
    return issue.keys.map((key) => ({
      field: key.slice(0, 60),
      expected,
      found: 'an unknown key',
      next: 'Remove it.',
    }));
  }
  const field = issue.path.reduce<string>((at, part) => join(at, part), '');
  return [{ field, expected: issue.message, found: describeFound(valueAt(data, issue.path)) }];
}

const join = (at: string, part: PropertyKey): string => {
  if (typeof part === 'number') return `${at}[${part}]`;
  return at === '' ? String(part) : `${at}.${String(part)}`;
};

function valueAt(data: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, part) => {
    const isOwn = typeof value === 'object' && value !== null && Object.hasOwn(value, part);
    return isOwn ? Reflect.get(value, part) : undefined;
  }, data);
}

/** A value may break several rules that expect the same. */
function once(complaints: readonly VpComplaint[]): readonly VpComplaint[] {
  const seen = new Set<string>();
  return complaints.filter(({ field, expected }) => {
    const key = `${field} ${expected}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** Their file has no `id` and no `role`, and other names for models. */
function inTheirTerms(said: VpComplaint): VpComplaint {
  if (said.field === 'role') return { ...said, field: 'description' };
  if (said.field === 'id') return { ...said, field: 'name' };
  return said.field === 'model' ? { ...said, expected: CLAUDE_MODELS } : said;
}

function assemble(fields: VpFields, persona: string, source: VpSource, text: string): Vp {
  const { id, name, role, traits, model, effort, tools } = fields;
  return Object.freeze({
    id,
    name,
    role,
    persona,
    capabilities: [...new Set(fields.capabilities)],
    ...(traits && { traits }),
    ...(model && { model }),
    ...(effort && { effort }),
    executor: executorOf(fields.executor),
    ...(tools && { tools: toolsForAll(tools) }),
    source,
    hash: sha256Hex(text),
  });
}

function executorOf(executor: VpFields['executor']): VpExecutor {
  if (executor === undefined || executor === 'agent') return { kind: 'agent' };
  const { run, env } = executor;
  return { kind: 'command', run, ...(env && { env }) };
}
