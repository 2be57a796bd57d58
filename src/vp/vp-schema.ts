/**
 * What the front matter of a VP may say. Every part carries in `error` what it expects: that text becomes the
 * `expected` of a problem.
 */
import { z } from 'zod';
import { tagOf } from './capabilities.ts';
import { splitToolNames, TOOL_NAMES, toolsFor } from './tool-names.ts';
import { EFFORTS, isReservedId, isVpId, MODEL_TAGS, type ModelHint, VP_LIMITS } from './vp.ts';

/** Control characters, line separators and halves of surrogate pairs: nothing that a list on a terminal can show. */
const ONE_LINE = /^[^\p{Cc}\p{Zl}\p{Zp}\p{Cs}]*$/u;
const TEXT = /^(?:[\t\n]|[^\p{Cc}\p{Cs}])*$/u;

const line = (max: number) => {
  const error = `one line of 1 to ${max} characters`;
  return z.string({ error }).trim().min(1, error).max(max, error).regex(ONE_LINE, error);
};

const list = <T extends z.ZodType>(entry: T, max: number, min = 1) => {
  const error = `a list of ${min} to ${max}`;
  return z.array(entry, { error }).min(min, error).max(max, error);
};

const capability = line(VP_LIMITS.capability)
  .transform(tagOf)
  .refine((tag) => tag !== '', 'a tag such as review or api-design');

const ID = `lower-case letters, digits, - and _, at most ${VP_LIMITS.id}`;
const id = z
  .string({ error: ID })
  .refine(isVpId, ID)
  .refine((text) => !isReservedId(text), 'an id that does not already address somebody else');

const MODEL = `${MODEL_TAGS.join(', ')}, or provider/model`;
const model = z
  .string({ error: MODEL })
  .refine((text) => modelHint(text) !== undefined, MODEL)
  .transform((text) => modelHint(text));

const tool = z
  .string({ error: 'the name of a tool' })
  .refine((name) => toolsFor(name).length > 0, `one of ${TOOL_NAMES.join(', ')}, or mcp__server__tool`);

const command = z.string({ error: 'a command' }).regex(/\S/, 'a command').max(VP_LIMITS.command).regex(TEXT);
const environment = z.record(
  z.string().regex(/^(?!WORKCENTER_)[A-Za-z_][A-Za-z0-9_]*$/, 'the name of a variable, not beginning with WORKCENTER_'),
  z.string({ error: 'a text' }).regex(/^[^\0\p{Cs}]*$/u, 'a text'),
  { error: 'a mapping of names to texts' },
);

const EXECUTOR = 'agent, or a mapping with run (a shell line or a list of arguments) and perhaps env';
const executor = z.union(
  [
    z.literal('agent'),
    z.strictObject({
      run: z.union([command, z.array(z.string().regex(/^[^\0\p{Cs}]*$/u)).min(1)]),
      env: environment.optional(),
    }),
  ],
  { error: EXECUTOR },
);

export const vpSchema = z.strictObject(
  {
    id,
    name: line(VP_LIMITS.name),
    role: line(VP_LIMITS.role),
    capabilities: list(capability, VP_LIMITS.capabilities),
    traits: list(line(VP_LIMITS.trait), VP_LIMITS.traits).optional(),
    model: model.optional(),
    effort: z.enum(EFFORTS, { error: EFFORTS.join(', ') }).optional(),
    tools: z.preprocess(splitToolNames, list(tool, VP_LIMITS.tools, 0)).optional(),
    executor: executor.optional(),
  },
  { error: 'keys with values' },
);

export type VpFields = z.infer<typeof vpSchema>;

export const VP_KEYS: readonly string[] = Object.keys(vpSchema.shape);

/** Undefined for what is neither a tag nor a reference. */
export function modelHint(text: string): ModelHint | undefined {
  const tag = MODEL_TAGS.find((known) => known === text);
  if (tag !== undefined) return { tag };
  return text.length <= 200 && /^[A-Za-z0-9][\w.-]*\/[^\s\p{Cc}\p{Cs}]+$/u.test(text) ? { ref: text } : undefined;
}

/** What is wrong with a persona, as what was expected; undefined when nothing is. */
export function personaFault(persona: string, isOptional: boolean): string | undefined {
  if (persona === '' && !isOptional) return 'a persona in markdown below the front matter';
  if (persona.length > VP_LIMITS.persona) return `at most ${VP_LIMITS.persona} characters`;
  return TEXT.test(persona) ? undefined : 'text without control characters';
}
