import { z } from 'zod';

/** Arguments that several tools take. */
export const ID = z.string().min(1).max(64).describe('Id of the item');

/** What a tool that only reads needs, and promises to clients, which may then call it without asking. */
export const READS = Object.freeze({
  needs: 'read',
  annotations: Object.freeze({ readOnlyHint: true, openWorldHint: false }),
});
