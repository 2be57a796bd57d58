import { z } from '@hono/zod-openapi';

const text = z.string();

export const VP = z
  .object({
    id: text,
    name: text,
    role: text.openapi({ description: 'What it is for, in one line.' }),
    persona: text.openapi({ description: 'Told to its model; Markdown.' }),
    capabilities: z.array(text),
    traits: z.array(text),
    model: text.nullable().openapi({ description: 'provider/model or a tag; null: what the settings say.' }),
    effort: text.nullable(),
    executor: z.enum(['agent', 'command']),
    tools: z
      .array(text)
      .nullable()
      .openapi({ description: 'The only ones that it may use; null: no limit of its own.' }),
    source: z.enum(['built-in', 'project', 'user', 'claude-agents']),
    file: text.nullable().openapi({ description: 'The end of its path; null: it is built in.' }),
    hash: text,
  })
  .openapi('Vp');

export const PAGE_OF_VPS = z
  .object({
    vps: z.array(VP),
    hidden: z
      .array(z.object({ id: text, source: text, file: text.nullable() }))
      .openapi({ description: 'Not used: a nearer one has the same id.' }),
    problems: z.array(text).openapi({ description: 'Files that are broken, or used in part.' }),
  })
  .openapi('VpPage');

const MISSING = z.object({ code: text, expected: text, found: text, next: text });

/** A model, or why there is none. */
const CHOICE = z.object({ model: text.nullable(), problem: MISSING.nullable() });

export const MODELS = z
  .object({
    coordinator: CHOICE.extend({ priced: z.boolean() }),
    providers: z.array(
      z.object({
        name: text,
        protocol: text.nullable(),
        keyEnv: text.nullable().openapi({ description: 'The variable that holds its key; its value is never told.' }),
        keyPresent: z.boolean(),
        problem: MISSING.nullable(),
      }),
    ),
    tags: z.array(CHOICE.extend({ tag: text })),
    prices: z.object({
      asOf: text,
      entries: z.array(
        z.object({
          model: text,
          from: z.enum(['built-in', 'settings']),
          input: z.number().openapi({ description: 'US dollars per million tokens, like all of them.' }),
          output: z.number(),
          cacheRead: z.number().nullable(),
          cacheWrite: z.number().nullable(),
        }),
      ),
    }),
  })
  .openapi('Models');
