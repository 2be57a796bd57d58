import { z } from '@hono/zod-openapi';
import { SCOPES } from './access/scopes.ts';

/** Shapes of what belongs to the installation as a whole, and is its owner's business. */

const text = z.string();
const whole = z.number().int();
const iso = text.openapi({ description: 'ISO 8601.' });

export const WORKERS = z
  .object({
    version: text.openapi({ description: 'Of this server.' }),
    workers: z.array(
      z
        .object({
          owner: text,
          pid: whole,
          version: text,
          kind: z.enum(['server', 'run']).openapi({ description: '`run`: it carries one item and ends.' }),
          state: z
            .enum(['working', 'silent', 'stopped'])
            .openapi({ description: '`silent`: it has not been heard of for a while.' }),
          firstSeenAt: iso,
          heartbeatAt: iso,
        })
        .openapi('Worker'),
    ),
  })
  .openapi('Workers');

export const ENFORCEMENT = z
  .object({
    sandbox: text.openapi({ description: 'bubblewrap or none.' }),
    filesystem: z.boolean(),
    network: z.boolean(),
    processes: z.boolean(),
    reason: text.nullable().openapi({ description: 'Why not all of it.' }),
    checks: z.array(z.object({ grade: z.enum(['ok', 'warn', 'fail']), what: text, fact: text, next: text.nullable() })),
  })
  .openapi('Enforcement', { description: 'What is enforced here, tried for real, and how the machine is.' });

export const RECLAIM = z
  .strictObject({
    olderThanSec: whole
      .min(0)
      .max(3_650 * 86_400)
      .default(7 * 86_400)
      .openapi({ description: 'Items that ended less than this ago keep everything.' }),
  })
  .openapi('Reclaim');

export const DISK = z
  .object({
    freeBytes: z.number(),
    databaseBytes: z.number(),
    reclaimable: z.number().openapi({ description: 'Bytes that may go now; after reclaiming: that have gone.' }),
    othersReclaimable: z.number().openapi({ description: 'Of these: expired uploads, set-ups over their limit.' }),
    items: z
      .array(
        z.object({
          itemId: text,
          title: text.nullable().openapi({ description: 'null: it belongs to no item of this store.' }),
          bytes: z.number(),
          reclaimable: z.number(),
          why: text,
        }),
      )
      .openapi({ description: 'Those that hold most, largest first; at most 200.' }),
    count: whole.openapi({ description: 'How many items hold something.' }),
    olderThanSec: whole,
  })
  .openapi('DiskUse');

export const TOKEN = z
  .object({
    id: text,
    name: text,
    scopes: z.array(z.enum(SCOPES)),
    authority: z
      .enum(['user', 'agent'])
      .openapi({ description: '`agent`: what its holder says never counts as a person’s word.' }),
    state: z.enum(['valid', 'expired', 'revoked']),
    createdAt: iso,
    expiresAt: iso.nullable(),
    revokedAt: iso.nullable(),
    lastUsedAt: iso.nullable(),
  })
  .openapi('Token');

export const TOKENS = z
  .object({
    tokens: z.array(TOKEN),
    mayAdd: z.boolean().openapi({ description: 'Whoever asks is the person at this machine.' }),
  })
  .openapi('Tokens');

export const NEW_TOKEN = z
  .strictObject({
    name: text.max(64),
    scopes: z.array(z.enum(SCOPES)).min(1).max(SCOPES.length).default(['read']),
    authority: z.enum(['user', 'agent']).default('user'),
    expiresInSec: whole
      .min(1)
      .max(3_650 * 86_400)
      .optional()
      .openapi({ description: 'For ever unless said.' }),
  })
  .openapi('NewToken');

export const ADDED_TOKEN = TOKEN.extend({ token: text.openapi({ description: 'Shown this once.' }) }).openapi(
  'AddedToken',
);
