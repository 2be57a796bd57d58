import { knownWord, wordsOf } from './capabilities.ts';
import { readYaml, type YamlResult } from './front-matter.ts';
import { splitToolNames, TOOL_NAMES, type ToolName, toolsFor, toolsForAll } from './tool-names.ts';
import { MODEL_TAGS, VP_LIMITS } from './vp.ts';

/** Claude Code's names of models, as the tags that mean about the same; `inherit` says nothing. */
const MODELS: ReadonlyMap<string, string | undefined> = new Map([
  ['haiku', 'fast'],
  ['sonnet', 'balanced'],
  ['opus', 'ultimate'],
  ['inherit', undefined],
]);

/**
 * Reads the front matter of a `.claude/agents` file. Its own reader takes everything after `description:` as text, so
 * where YAML fails, single-line values with a colon or a `#` are quoted and it is tried again.
 */
export function readClaudeYaml(head: string): YamlResult {
  const strict = readYaml(head);
  if (strict.ok) return strict;
  const quoted = head.replace(/^(description|name): +(.*)$/gm, (_, key, value) => `${key}: ${JSON.stringify(value)}`);
  const lenient = readYaml(quoted);
  return lenient.ok ? lenient : strict;
}

/** Fields in our own terms, still to be checked, and the tools that have no equal here. */
export interface ClaudeFields {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly ignoredTools: readonly string[];
}

/** Translates what Claude Code knows into our front matter; keys of theirs that mean nothing here are left out. */
export function fromClaude(data: Readonly<Record<string, unknown>>): ClaudeFields {
  const { name, description, model } = data;
  const tools = toolsOf(data);
  const hint = typeof model === 'string' ? claudeModel(model) : (model ?? undefined);
  const fields: Record<string, unknown> = {
    id: typeof name === 'string' ? idOf(name) : name,
    name,
    role: typeof description === 'string' ? roleOf(description) : description,
    capabilities: typeof name === 'string' ? tagsFrom(name, description) : ['unnamed'],
    ...(hint === undefined ? {} : { model: hint }),
    ...(tools.allowed === undefined ? {} : { tools: tools.allowed }),
  };
  return { fields, ignoredTools: tools.ignored };
}

const idOf = (name: string): string => (/^[a-z0-9][a-z0-9_-]*$/.test(name) ? name : wordsOf(name).join('-'));

/** Full names of their models are references; anything else is left for the check to refuse. */
function claudeModel(model: string): string | undefined {
  if (MODELS.has(model)) return MODELS.get(model);
  return model.startsWith('claude-') ? `anthropic/${model}` : model;
}

/** The beginning of a description that may be pages long and hold examples. */
function roleOf(description: string): string {
  const [paragraph = ''] = description.trim().split(/\n|\\n/);
  const line = paragraph.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  const sentence = /^.*?[.!?](?= |$)/u.exec(line)?.[0] ?? line;
  return sentence.length <= VP_LIMITS.role ? sentence : `${sentence.slice(0, VP_LIMITS.role - 1).trimEnd()}…`;
}

/**
 * Tags for a file that declares none: the name and the kinds of work in it, else the first kinds of work that the
 * description names. Descriptions also say when not to be used, so more of their words would mislead.
 */
function tagsFrom(name: string, description: unknown): readonly string[] {
  const known = (text: string): readonly string[] => wordsOf(text).flatMap((word) => knownWord(word) ?? []);
  const named = known(name);
  const described = typeof description === 'string' ? known(description).slice(0, 2) : [];
  const tag = wordsOf(name).join('-').slice(0, VP_LIMITS.capability);
  const tags = [...new Set([tag, ...(named.length > 0 ? named : described)])].filter((word) => word !== '');
  return tags.slice(0, VP_LIMITS.capabilities);
}

interface AllowedTools {
  /** Undefined for all; a value of a wrong shape is passed on for the check to refuse. */
  readonly allowed: unknown;
  readonly ignored: readonly string[];
}

/** `Bash(git diff:*)` allows a part of a tool: here it allows nothing, and forbids the whole. */
function toolsOf(data: Readonly<Record<string, unknown>>): AllowedTools {
  const named = splitToolNames(data.tools ?? undefined);
  const forbidden = namesIn(data.disallowedTools).map((name) => name.replace(/\(.*$/s, ''));
  const isEverything = named === undefined || (Array.isArray(named) && named.length === 1 && named[0] === '*');
  if (!isEverything && !(Array.isArray(named) && named.every(isText))) return { allowed: named, ignored: [] };
  const names = isEverything ? [] : namesIn(named);
  const ignored = names.filter((name) => toolsFor(name).length === 0);
  if (isEverything && forbidden.length === 0) return { allowed: undefined, ignored };
  const asked: readonly ToolName[] = isEverything ? TOOL_NAMES : toolsForAll(names);
  const without = new Set(toolsForAll(forbidden));
  return { allowed: asked.filter((tool) => !without.has(tool)), ignored };
}

const isText = (value: unknown): value is string => typeof value === 'string';

function namesIn(value: unknown): readonly string[] {
  const names = splitToolNames(value);
  return Array.isArray(names) ? names.filter(isText) : [];
}

/** What `model:` may say in such a file, for a message. */
export const CLAUDE_MODELS: string = [...MODELS.keys(), ...MODEL_TAGS].join(', ');
