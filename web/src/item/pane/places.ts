/** What may stand behind the name of a content in the address. */
const PLACES = {
  proof: /^$/,
  actions: /^(turns\/[^/]+|[^/]+(\/runs\/[^/]+)?)?$/,
  diff: /^(actions\/[^/]+(\/runs\/[^/]+)?)?$/,
  contract: /^(edit)?$/,
  events: /^\d*$/,
} as const;

export type ContentName = keyof typeof PLACES;
export const CONTENT_NAMES = Object.keys(PLACES) as readonly ContentName[];

/** Which content an address behind `/work/ID/` means, and whether all of it means something. */
export function placeAt(address: string): {
  readonly shown: ContentName;
  readonly rest: readonly string[];
  readonly isPlace: boolean;
} {
  const [first, ...rest] = address.split('/').filter((part) => part !== '');
  const shown = CONTENT_NAMES.find((name) => name === first);
  if (!shown) return { shown: 'proof', rest: [], isPlace: first === undefined };
  return { shown, rest, isPlace: PLACES[shown].test(rest.join('/')) };
}
