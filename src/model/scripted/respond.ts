import { type Answer, answerOf, replyOf } from './answer.ts';
import type { CompiledScenario, CompiledStep } from './compiled-scenario.ts';
import {
  type Delivery,
  deliverAnswer,
  deliverBroken,
  deliverError,
  deliverLateError,
  type Pauses,
} from './delivery.ts';
import { explainUnmatched } from './explain-unmatched.ts';
import { type Groups, matchStep } from './match-step.ts';
import type { RecordedRequest, Recorder } from './recorder.ts';
import type { Reply } from './scenario.ts';
import type { ScriptedRequest } from './scripted-request.ts';

/** What is sent for a request, and what is remembered of it. */
export interface Responded {
  readonly delivery: Delivery;
  readonly pauses: Pauses;
  readonly recorded: RecordedRequest;
  /** Absent when an error was sent instead of any answer. */
  readonly answer?: Answer;
}

const NO_PAUSES: Pauses = Object.freeze({ delayMs: 0, chunkDelayMs: 0 });

/** A request with its place in the record. */
export interface Arrival {
  readonly request: ScriptedRequest;
  readonly number: number;
  readonly at: number;
}

type Taken = Pick<RecordedRequest, 'step' | 'stepName'>;

const NO_STEP: Taken = Object.freeze({ step: null, stepName: null });

/** The refusal of a request that the scenario is not made for: 400, so that no client tries again. */
export function refused({ request, number, at }: Arrival, problem: string, taken: Taken = NO_STEP): Responded {
  const recorded = { ...request, number, at, ...taken, problem };
  const delivery = deliverError({ status: 400, message: problem }, request.protocol);
  return { delivery, pauses: NO_PAUSES, recorded };
}

async function readReply(step: CompiledStep, request: ScriptedRequest, groups: Groups): ReturnType<typeof replyOf> {
  try {
    return await replyOf(step, request, groups);
  } catch (error) {
    return {
      ok: false,
      problem: `its reply function threw: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

const pausesOf = ({ delayMs = 0, chunkDelayMs = 0 }: Reply): Pauses => ({ delayMs, chunkDelayMs });

function deliver(step: CompiledStep, answer: Answer, request: ScriptedRequest): Delivery {
  const whole = deliverAnswer(answer, request);
  if (step.broken !== undefined) return deliverBroken(whole, step.broken);
  return step.error === undefined ? whole : deliverLateError(whole, step.error, request);
}

/** Finds the step for a request and makes what it answers. */
export async function respond(scenario: CompiledScenario, recorder: Recorder, arrival: Arrival): Promise<Responded> {
  const { request, number, at } = arrival;
  const match = matchStep(scenario, request, recorder.used);
  if (!match.ok) return refused(arrival, explainUnmatched(scenario.name, request, match.reasons));
  const { step, index, groups } = match;
  recorder.use(index);
  const taken: Taken = { step: index, stepName: step.name };
  const recorded = { ...request, number, at, ...taken };
  if (step.error !== undefined && step.error.afterBytes === undefined) {
    const pauses = pausesOf({ delayMs: step.error.delayMs });
    return { delivery: deliverError(step.error, request.protocol), pauses, recorded };
  }
  const reply = await readReply(step, request, groups);
  if (!reply.ok) return refused(arrival, `Step ${step.name} of "${scenario.name}": ${reply.problem}`, taken);
  const model = scenario.model ?? request.model;
  const answer = answerOf(reply.value, request, { number, at, model });
  return { delivery: deliver(step, answer, request), pauses: pausesOf(reply.value), recorded, answer };
}
