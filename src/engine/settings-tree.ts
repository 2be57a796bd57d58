/** A nested record as the store keeps it. */
export type Tree = Readonly<Record<string, unknown>>;

export const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What stands there; undefined where nothing does. */
export function valueAt(tree: unknown, [head, ...rest]: readonly string[]): unknown {
  if (head === undefined) return tree;
  return isTree(tree) && Object.hasOwn(tree, head) ? valueAt(tree[head], rest) : undefined;
}

/** The tree with a value there; branches are made, and a leaf in the way is replaced. */
export function withValue(tree: unknown, [head, ...rest]: readonly string[], value: unknown): Tree {
  const known = isTree(tree) ? tree : {};
  if (head === undefined) return known;
  return { ...known, [head]: rest.length === 0 ? value : withValue(known[head], rest, value) };
}

/** The tree without what stands there, and without branches that this leaves empty. */
export function without(tree: Tree, [head, ...rest]: readonly string[]): Tree {
  if (head === undefined || !Object.hasOwn(tree, head)) return tree;
  const { [head]: found, ...others } = tree;
  const below = rest.length > 0 && isTree(found) ? without(found, rest) : {};
  return Object.keys(below).length === 0 ? others : { ...others, [head]: below };
}

/** What is set, each with its dotted path, in the order in which it is kept; `isWhole` names records that are one value. */
export function leavesOf(
  tree: Tree,
  isWhole: (path: string) => boolean,
  prefix = '',
): readonly (readonly [path: string, value: unknown])[] {
  return Object.entries(tree).flatMap(([name, value]): readonly (readonly [string, unknown])[] => {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    const goesOn = isTree(value) && Object.keys(value).length > 0 && !isWhole(path);
    return goesOn ? leavesOf(value, isWhole, path) : [[path, value]];
  });
}
