import type { MemoryView, Redaction } from '../../context/mainline-input.ts';
import type { ItemState, Network, OpenTurn, Quote } from '../../core/index.ts';
import type { Vp } from '../../vp/index.ts';

/** Everything that the Coordinator is shown of an item, as plain values: the same value gives the same bytes. */
export interface SnapshotInput {
  readonly state: ItemState;
  /** What was said after this turn was opened is for the next one. */
  readonly turn: OpenTurn;
  /** Oldest first. Entries that this turn shows as new may be among them: they are shown once. */
  readonly conversation: readonly ConversationEntry[];
  readonly vps: readonly Vp[];
  /** Ignored where the item does not reuse memory (D35). */
  readonly memory: readonly MemoryView[];
  readonly abilities: Abilities;
  readonly redaction: Redaction;
  /** As people call it: `German`. Absent: that of the goal. */
  readonly language?: string;
}

/** Something that was said before. */
export interface ConversationEntry {
  /** Of a message: `m1`. */
  readonly id?: string;
  readonly from: 'person' | 'coordinator' | 'executor' | 'engine';
  /** Action that it was said to or by. */
  readonly actionId?: string;
  readonly text: string;
  readonly quote?: Quote;
}

/** What executors of this installation can be given; who has which is said by their inventory. */
export interface Abilities {
  /** Names of the built-in agent's tools. */
  readonly tools: readonly string[];
  /** Most that an Action may reach. */
  readonly network: Network;
}
