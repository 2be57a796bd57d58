import { bytesOf } from '../context/cut.ts';
import { drawPicture } from './snapshot/draw.ts';
import { formatPicture } from './snapshot/format.ts';
import type { SnapshotInput } from './snapshot/input.ts';
import { descend } from './snapshot/ladder.ts';
import { SNAPSHOT_LIMITS } from './snapshot/limits.ts';

/** What the Coordinator is shown of an item. */
export interface Snapshot {
  /** One JSON object; see `Picture` for its keys. */
  readonly text: string;
  /** UTF-8 bytes of the text: at most 65,536. */
  readonly bytes: number;
  /** How many entries of which list were left out. Shortened texts say so themselves. */
  readonly omitted: readonly { readonly what: string; readonly count: number }[];
}

/**
 * The bounded picture of an item for one turn (D17). Pure and deterministic: the same value gives the same bytes.
 * Nothing is left out while all fits; then the ladder is descended. Never fails for size.
 */
export function snapshotOf(input: SnapshotInput): Snapshot {
  const isSmall = (text: string) => bytesOf(text) <= SNAPSHOT_LIMITS.bytes;
  const picture = descend(drawPicture(input), (tried) => isSmall(formatPicture(tried)));
  const text = formatPicture(picture);
  const omitted = Object.entries(picture.omitted).map(([what, count]) => ({ what, count }));
  return { text, bytes: bytesOf(text), omitted };
}
