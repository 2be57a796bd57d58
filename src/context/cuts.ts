import { bytesOf } from './cut.ts';
import type { MainlineInput } from './mainline-input.ts';

/** How far each dial of the degradation ladder is turned; all zero when everything fits. */
export type Cuts = Readonly<Record<Dial, number>>;

/** One rung: what it takes away, and how many steps it has for this input. */
interface Rung {
  readonly dial: Dial;
  readonly steps: (input: MainlineInput) => number;
}

export const KIB = 1024;
const once = () => 1;

/**
 * The ladder, in the order in which it is descended. A rung is taken whole before the next is touched, and of the last
 * one needed no more is taken than needed.
 *
 * | Dial        | One step takes away                                                     |
 * | ----------- | ----------------------------------------------------------------------- |
 * | memory      | the oldest earlier item                                                 |
 * | background  | the oldest message of the background                                    |
 * | guidance    | one KiB of the project's files, from their end                          |
 * | journal     | all but id and state of the oldest other Action                         |
 * | results     | all but the summary of one result: sources first, then the oldest       |
 * | quotes      | the quote of the oldest message but the latest                          |
 * | messages    | the oldest message but the latest                                       |
 * | resume      | the tails of receipts; then all but 512 bytes of error and summary      |
 * | resultLines | all but 160 bytes of one result's summary                               |
 * | latestQuote | the quote of the latest message                                         |
 * | attachments | all but the names                                                       |
 * | criteria    | what is beyond 512 bytes of a criterion                                 |
 * | checks      | what is beyond 256 bytes of a check, and all evidence                   |
 * | instructions| what is beyond 2 KiB of each kind of instructions                       |
 * | goal        | what is beyond 4 KiB of the goal                                        |
 * | brief       | what is beyond 1 KiB of approach, expected outcome and rationale        |
 * | objective   | what is beyond 2 KiB of the objective                                   |
 * | latest      | what is beyond 8 KiB of the latest message                              |
 * | squeeze     | half of every bound above, again and again                              |
 */
export const LADDER = Object.freeze([
  { dial: 'memory', steps: (input) => input.memory.length },
  { dial: 'background', steps: (input) => input.background.length },
  { dial: 'guidance', steps: (input) => Math.ceil(guidanceBytes(input) / KIB) },
  { dial: 'journal', steps: (input) => input.journal.length },
  { dial: 'results', steps: (input) => input.results.length },
  { dial: 'quotes', steps: (input) => input.messages.slice(0, -1).filter(({ quote }) => quote).length },
  { dial: 'messages', steps: (input) => Math.max(input.messages.length - 1, 0) },
  { dial: 'resume', steps: (input) => (input.resume ? 2 : 0) },
  { dial: 'resultLines', steps: (input) => input.results.length },
  { dial: 'latestQuote', steps: (input) => (input.messages.at(-1)?.quote ? 1 : 0) },
  { dial: 'attachments', steps: (input) => Math.min(input.attachments.length, 1) },
  { dial: 'criteria', steps: once },
  { dial: 'checks', steps: once },
  { dial: 'instructions', steps: once },
  { dial: 'goal', steps: once },
  { dial: 'brief', steps: once },
  { dial: 'objective', steps: once },
  { dial: 'latest', steps: once },
  { dial: 'squeeze', steps: () => 8 },
] as const satisfies readonly { dial: string; steps: (input: MainlineInput) => number }[]);

export type Dial = (typeof LADDER)[number]['dial'];

export const NO_CUTS: Cuts = Object.freeze({
  memory: 0,
  background: 0,
  guidance: 0,
  journal: 0,
  results: 0,
  quotes: 0,
  messages: 0,
  resume: 0,
  resultLines: 0,
  latestQuote: 0,
  attachments: 0,
  criteria: 0,
  checks: 0,
  instructions: 0,
  goal: 0,
  brief: 0,
  objective: 0,
  latest: 0,
  squeeze: 0,
});

/** The bound of a field once its rung is taken; none before. */
export const capOf = (cuts: Cuts, dial: Dial, bytes: number): number =>
  cuts[dial] === 0 ? Number.POSITIVE_INFINITY : bytes >> cuts.squeeze;

/** How many of a list's entries survive the last rungs, where even one line for each is too much. */
export const countOf = (cuts: Cuts, count: number): number =>
  cuts.squeeze === 0 ? count : Math.min(count, 64 >> cuts.squeeze);

/**
 * Descends until `fits`, and no further than needed. The last cuts, all dials at their ends, may still not fit.
 * `fits` is asked a few dozen times.
 */
export function descend(input: MainlineInput, fits: (cuts: Cuts) => boolean): Cuts {
  let cuts = NO_CUTS;
  if (fits(cuts)) return cuts;
  const rungs: readonly Rung[] = LADDER;
  for (const { dial, steps } of rungs) {
    const most = steps(input);
    if (most === 0) continue;
    const taken = { ...cuts, [dial]: most };
    if (fits(taken)) return { ...cuts, [dial]: leastOf(most, (step) => fits({ ...cuts, [dial]: step })) };
    cuts = taken;
  }
  return cuts;
}

/** The smallest step that is enough, knowing that `most` is. */
function leastOf(most: number, enough: (step: number) => boolean): number {
  let low = 0;
  let high = most;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (enough(middle)) high = middle;
    else low = middle;
  }
  return high;
}

const guidanceBytes = (input: MainlineInput): number =>
  input.projectGuidance.reduce((sum, { text }) => sum + bytesOf(text), 0);
