/** Settings as they come and go: a tree of plain values, each at a path. */
export type Tree = Readonly<Record<string, unknown>>;
export type Path = readonly string[];

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);

export function valueAt(tree: unknown, [head, ...rest]: Path): unknown {
  if (head === undefined) return tree;
  return isTree(tree) && Object.hasOwn(tree, head) ? valueAt(tree[head], rest) : undefined;
}

/** With another value there; undefined takes it away, and branches that this leaves empty. */
export function withValue(tree: unknown, [head, ...rest]: Path, value: unknown): Tree {
  const known = isTree(tree) ? tree : {};
  if (head === undefined) return known;
  const next = rest.length === 0 ? value : withValue(known[head], rest, value);
  const { [head]: _before, ...others } = known;
  const isGone = next === undefined || (rest.length > 0 && isTree(next) && Object.keys(next).length === 0);
  return isGone ? others : { ...known, [head]: next };
}

export const namesAt = (tree: unknown, path: Path): readonly string[] => {
  const found = valueAt(tree, path);
  return isTree(found) ? Object.keys(found) : [];
};
