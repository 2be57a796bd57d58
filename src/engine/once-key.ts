/**
 * The name in the store of a key that a caller chose for a change of an item, or for a `new` one. Command line and HTTP
 * share it: the same key means the same change on every way in.
 */
export const onceKey = (itemId: string, key: string): string => `http:${itemId}:${key}`;
