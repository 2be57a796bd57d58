import type { Entry } from '../../../../src/client/index.ts';
import type { SentFile } from '../../attachments/sent-file.ts';

/** An Action that is written to, at the generation that was seen. */
export interface Target {
  readonly actionId: string;
  readonly generation: number;
  readonly name: string;
}

/** A message that is being written. All of it is kept in this browser until it is sent. */
export interface MessageDraft {
  readonly text: string;
  readonly files: readonly SentFile[];
  readonly quote: Entry['quote'];
  /** Null is the Coordinator. Looking at an Action never changes it, only somebody's choice does. */
  readonly target: Target | null;
}
