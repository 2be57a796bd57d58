/**
 * What a token lets its holder do over HTTP and MCP. Authority is another matter: whether what is said counts as a
 * person's word comes from the token's principal (D16).
 *
 * | Scope   | Lets                                              | Includes      |
 * | ------- | ------------------------------------------------- | ------------- |
 * | read    | read everything, follow live events               |               |
 * | create  | create items, upload files for them               | read          |
 * | operate | change items: say, answer, start, stop, edit, ... | read          |
 * | admin   | settings, webhooks, VPs: what outlasts an item    | all the others |
 */
export const SCOPES = ['read', 'create', 'operate', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** Who made an item has to be able to see what became of it. */
const IMPLIED_BY: Readonly<Record<Scope, readonly Scope[]>> = {
  read: ['create', 'operate', 'admin'],
  create: ['admin'],
  operate: ['admin'],
  admin: [],
};

export const allows = (held: readonly Scope[], needed: Scope): boolean =>
  held.includes(needed) || IMPLIED_BY[needed].some((scope) => held.includes(scope));
