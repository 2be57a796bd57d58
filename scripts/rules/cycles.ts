import type { ImportEdge } from './imports.ts';
import type { Problem } from './source-file.ts';

/** Import cycles between files, type-only imports included: each cycle once, at the edge that closes it. */
export function checkCycles(edges: readonly ImportEdge[]): Problem[] {
  const targets = groupByFile(edges);
  const finished = new Set<string>();
  const trail: string[] = [];
  const problems: Problem[] = [];

  const visit = (path: string): void => {
    trail.push(path);
    for (const edge of targets.get(path) ?? []) {
      if (edge.target === null || finished.has(edge.target)) continue;
      const start = trail.indexOf(edge.target);
      if (start === -1) visit(edge.target);
      else problems.push(problemOf(edge, [...trail.slice(start), edge.target]));
    }
    trail.pop();
    finished.add(path);
  };

  for (const path of targets.keys()) if (!finished.has(path)) visit(path);
  return problems;
}

function problemOf(edge: ImportEdge, cycle: readonly string[]): Problem {
  return { path: edge.from, line: edge.line, message: `import cycle: ${cycle.join(' -> ')}` };
}

function groupByFile(edges: readonly ImportEdge[]): Map<string, ImportEdge[]> {
  const groups = new Map<string, ImportEdge[]>();
  for (const edge of edges) groups.set(edge.from, [...(groups.get(edge.from) ?? []), edge]);
  return groups;
}
