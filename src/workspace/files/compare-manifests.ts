import type { Manifest, ManifestEntry } from './manifest.ts';

export interface ManifestChange {
  readonly path: string;
  readonly change: 'added' | 'removed' | 'modified';
}

/** The paths by which `after` differs from `before` in content, kind or mode; sorted bytewise, as manifests are. */
export function compareManifests(before: Manifest, after: Manifest): ManifestChange[] {
  if (before.sha256 === after.sha256) return [];
  const old = new Map(before.entries.map((entry) => [entry.path, entry]));
  const changes: ManifestChange[] = [];
  for (const entry of after.entries) {
    const previous = old.get(entry.path);
    old.delete(entry.path);
    if (previous === undefined) changes.push({ path: entry.path, change: 'added' });
    else if (!same(previous, entry)) changes.push({ path: entry.path, change: 'modified' });
  }
  for (const path of old.keys()) changes.push({ path, change: 'removed' });
  return changes.sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
}

function same(a: ManifestEntry, b: ManifestEntry): boolean {
  return a.kind === b.kind && a.mode === b.mode && a.sha256 === b.sha256;
}
