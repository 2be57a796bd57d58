import { type ItemState, isVerify } from '../../core/index.ts';

const MAX_SLUG = 48;

/** A type as the beginning of an id: `Fix it!` is `fix-it`. */
function slug(type: string): string {
  const words = type
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, MAX_SLUG);
  // Names that begin so are kept for the engine.
  return words === '' || /^verify(-|$)/.test(words) ? 'action' : words;
}

/** Hands out ids such as `implement-2`, never one that the item or an earlier entry of the same decision has. */
export function idSource({ actions }: ItemState, wanted: readonly string[]): (type: string) => string {
  const taken = new Set([...actions.map(({ id }) => id), ...wanted]);
  const ordinary = actions.filter((action) => !isVerify(action));
  return (type) => {
    const base = slug(type);
    let number = ordinary.filter(({ spec }) => slug(spec.type) === base).length + 1;
    while (taken.has(`${base}-${number}`)) number += 1;
    const id = `${base}-${number}`;
    taken.add(id);
    return id;
  };
}
