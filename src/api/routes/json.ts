import { z } from '@hono/zod-openapi';

export const ITEM = z.object({ id: z.string().min(1).max(64) });

/** A page of at most `max`, `usual` unless the caller says. */
export const limitOf = (usual: number, max: number) => z.coerce.number().int().min(1).max(max).default(usual);

/** From the page before. */
export const CURSOR = z.string().max(500).optional().openapi({ description: 'nextCursor of the page before.' });

/** Bytes, as the document has them. */
export const FILE = { 'application/octet-stream': { schema: z.string().openapi({ format: 'binary' }) } };

export const FILE_HEADERS = z.object({
  range: z.string().max(128).optional().openapi({ description: 'One range of bytes, such as `bytes=0-1023`.' }),
});

/** An answer in JSON, for the document of a route. */
export const json = <S extends z.ZodType>(schema: S, description: string) => ({
  description,
  content: { 'application/json': { schema } },
});
