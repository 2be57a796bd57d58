/**
 * What people say to an item (D14). One stream of entries, each with an explicit target; a message waits here until a
 * model request has carried it, and lives on in the `entries` table only.
 */

export const MESSAGE_LIMITS = Object.freeze({
  /** Longer texts come as attachments. */
  textChars: 8_000,
  quoteBytes: 8_192,
  attachments: 10,
  attachmentBytes: 10 * 1024 * 1024,
  attachmentsTotalBytes: 50 * 1024 * 1024,
  attachmentNameChars: 255,
  /** Background of an item that another tool created (D37). */
  backgroundMessages: 48,
  backgroundChars: 24_000,
  backgroundMessageChars: 4_000,
});

/** A file that came with a goal, a message or an answer; its bytes are content under `hash`. */
export type Attachment = Readonly<{ name: string; hash: string; bytes: number; mediaType: string }>;

/** Words of somebody else that a message is about: untrusted context, never an instruction. */
export type Quote = Readonly<{ from: string; text: string }>;

export interface Message {
  /** `m1`, `m2`… within the item. */
  readonly id: string;
  readonly text: string;
  readonly quote?: Quote;
  readonly attachments: readonly Attachment[];
}

/** Whom a message is for. Requests are answered, not written to. */
export type MessageTarget = Readonly<{ kind: 'coordinator' } | { kind: 'action'; actionId: string }>;

/** Something a person said that the next Coordinator turn has to hear (D17). `seq`: the event that brought it. */
export type Fact = Readonly<
  { seq: number } & (
    | { kind: 'message'; message: Message; about?: string }
    | { kind: 'answer'; requestId: string; question: string; choice: string; text: string }
  )
>;

/** Where an item came from, when another tool created it (D37). */
export type Origin = Readonly<{ client: string; sessionId?: string; messageId?: string }>;
export type BackgroundMessage = Readonly<{ role: 'user' | 'assistant'; text: string }>;
