import type { LiveText } from '../engine/live/live-text.ts';
import type { GoalSubmission } from '../engine/submit/submit-goal.ts';
import type { Submitted } from '../engine/submit/submit-item.ts';
import type { Store } from '../store/store.ts';
import type { Access } from './access/access.ts';
import type { Report } from './failures.ts';
import type { OnMachine } from './on-machine.ts';

/** Makes an item of a goal; what it needs of the machine for that is its own. */
export type Submit = (submission: GoalSubmission) => Promise<Submitted>;

/** What the API is given; it knows nothing of sockets, clocks and settings files. */
export interface ApiDeps {
  readonly store: Store;
  readonly version: string;
  /** Host names and addresses, with port, under which this server may be addressed (DNS rebinding). */
  readonly hosts: () => readonly string[];
  readonly access: Access;
  /** Hears of requests that failed by a defect or by the store. */
  readonly report: Report;
  /** Milliseconds between signs of life on a stream. */
  readonly heartbeatMs: number;
  /** Streams open at a time; 2,000 unless said. */
  readonly maxStreams?: number;
  /** What the engine in this process tells while it works; only durable events are streamed without it. */
  readonly liveText?: LiveText;
  /** Without it nothing is created here. */
  readonly submit?: Submit;
  /** What keeps the engine beside it from working, a sentence each; none where there is no engine. */
  readonly troubles?: () => readonly string[];
  /** The folder of the page for people, an absolute path; without it there is none. */
  readonly page?: string;
  /** Without it nothing is told of repositories, VPs and models. */
  readonly machine?: OnMachine;
}
