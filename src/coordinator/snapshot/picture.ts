import type {
  ActionStatus,
  Choice,
  Delivery,
  Message,
  Network,
  OpenTurn,
  Setup,
  WorkspaceMode,
} from '../../core/index.ts';
import type { InventoryEntry } from '../../vp/index.ts';

/**
 * What the Coordinator sees, as it is written out: one JSON object whose keys are these. Words that are not the
 * person's stand under `reported`, `untrusted`, `background` and `memory`; the system prompt says what they may do.
 * Every text in it is bounded, redacted and visible.
 */
export interface Picture {
  readonly item: ItemPart;
  readonly now: NowPart;
  readonly contract: ContractPart;
  readonly criteria: readonly CriterionPart[];
  readonly progress: ProgressPart;
  /** Unfinished ones first, then the newest; without the engine's own verifications and without superseded ones. */
  readonly actions: readonly ActionPart[];
  /** The engine's newest run of all checks on the whole result. */
  readonly verification?: VerificationPart;
  /** Open ones. */
  readonly requests: readonly RequestPart[];
  /** External effects that may or may not have happened. */
  readonly unknownOperations: readonly { readonly id: string; readonly actionId: string; readonly what: string }[];
  /** How much of the budget is left: all kinds taken together, the scarcest counts. */
  readonly budget: BudgetBand;
  /** What was said before, oldest first. */
  readonly conversation: readonly SaidPart[];
  readonly background: readonly { readonly role: string; readonly untrusted: string }[];
  readonly memory: readonly MemoryPart[];
  /** Who can carry out Actions; the most relevant first. */
  readonly vps: readonly InventoryEntry[];
  readonly abilities: { readonly tools: readonly string[]; readonly network: Network };
  /** How much of what was left out, for its number or for lack of room. */
  readonly omitted: Readonly<Record<string, number>>;
}

export type BudgetBand = 'plenty' | 'half' | 'low';

export interface ItemPart {
  readonly id: string;
  readonly title: string;
  /** A better title is wanted. */
  readonly titlePending: boolean;
  readonly status: string;
  readonly contractVersion: number;
  readonly language?: string;
}

/** What is new, and who caused the turn. */
export interface NowPart {
  readonly origin: OpenTurn['origin'];
  /** Actions whose Runs have ended since the last decision, and how they stand. */
  readonly ended: readonly string[];
  readonly messages: readonly MessagePart[];
  readonly answers: readonly AnswerPart[];
}

export interface MessagePart extends Pick<Message, 'id' | 'text'> {
  /** Action that it was written about. */
  readonly about?: string;
  readonly quote?: QuotePart;
  /** `name (media type)`. */
  readonly attachments?: readonly string[];
}
export type QuotePart = Readonly<{ from: string; untrusted: string }>;
export type AnswerPart = Readonly<{ requestId: string; question: string; choice: string; text: string }>;

export interface ContractPart {
  readonly goal: string;
  readonly instructions?: string;
  readonly delivery: Delivery & { readonly needs: string };
  readonly workspace: string;
  readonly setup?: Pick<Setup, 'run'>;
}

export interface CriterionPart {
  readonly id: string;
  readonly version: number;
  readonly text: string;
  /** The command by which the engine decides it. */
  readonly check?: string;
  readonly minProof: string;
  readonly standing: string;
  readonly proof?: string;
  readonly flags?: readonly string[];
  /** Action whose claim decided. */
  readonly shownBy?: string;
  /** Action that wrote after it was shown. */
  readonly staledBy?: string;
  readonly reported?: { readonly evidence: string; readonly log?: string };
}

export interface ProgressPart {
  readonly proven: number;
  readonly total: number;
  readonly missing: readonly string[];
  readonly unfinished: readonly string[];
  /** Whether there is anything to deliver yet. */
  readonly somethingToDeliver: boolean;
  readonly actionsLeft: number;
}

export interface ActionPart {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly status: ActionStatus;
  readonly generation: number;
  readonly attemptsLeft: number;
  readonly for: readonly string[];
  readonly vp: string;
  readonly workspaceMode: WorkspaceMode;
  readonly objective: string;
  readonly approach?: string;
  readonly expectedOutcome?: string;
  readonly sources?: readonly string[];
  readonly rationale?: string;
  readonly failureCode?: string;
  /** Paths on which its result and the item branch disagree. */
  readonly conflict?: readonly string[];
  readonly openRequest?: string;
  readonly closeReason?: string;
  readonly reported?: ReportedPart;
}

/** What its executor said, or why its last Run ended badly. */
export interface ReportedPart {
  readonly summary?: string;
  readonly error?: string;
  readonly review?: string;
  readonly claims?: readonly string[];
  readonly outputs?: readonly string[];
}

export type VerificationPart = Readonly<{ id: string; status: string; failureCode?: string; error?: string }>;

export interface RequestPart {
  readonly id: string;
  readonly kind: string;
  readonly about: string;
  readonly question: string;
  readonly details?: readonly string[];
  readonly choices: readonly Choice[];
}

export type SaidPart = Readonly<{ from: string; actionId?: string; text: string; quote?: QuotePart }>;
export type MemoryPart = Readonly<{ itemId: string; title: string; endedAt: string; type: string; summary: string }>;
