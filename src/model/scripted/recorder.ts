import { appendFileSync } from 'node:fs';
import type { CompiledScenario } from './compiled-scenario.ts';
import type { ScriptedRequest } from './scripted-request.ts';

/** A request as it came, and which step answered it. */
export interface RecordedRequest extends ScriptedRequest {
  /** Counts from 1, also after `reset()`. */
  readonly number: number;
  /** Epoch milliseconds of its arrival. */
  readonly at: number;
  /** Index in the scenario; null when no step matched. */
  readonly step: number | null;
  readonly stepName: string | null;
  /** Why it was refused with 400: no step, an unfilled template, a reply function that threw. */
  readonly problem?: string;
}

/** How often a step was used. */
export interface StepCount {
  readonly name: string;
  readonly count: number;
}

export interface Recorder {
  readonly requests: readonly RecordedRequest[];
  readonly unmatched: readonly RecordedRequest[];
  readonly steps: readonly StepCount[];
  /** Requests that each step has answered, by its index. */
  readonly used: readonly number[];
  /** Counts a use at once, so that of two requests in the same moment only one can have the last. */
  readonly use: (step: number) => void;
  readonly nextNumber: () => number;
  readonly add: (request: RecordedRequest) => void;
  readonly reset: () => void;
}

/** Keeps requests in memory and, with `path`, appends each as one line of JSON before it is answered. */
export function createRecorder(scenario: CompiledScenario, path: string | undefined): Recorder {
  const requests: RecordedRequest[] = [];
  const used = scenario.steps.map(() => 0);
  let number = 0;
  return {
    requests,
    used,
    get unmatched() {
      return requests.filter(({ problem }) => problem !== undefined);
    },
    get steps() {
      return scenario.steps.map(({ name }, index) => ({ name, count: used[index] ?? 0 }));
    },
    use: (step) => {
      used[step] = (used[step] ?? 0) + 1;
    },
    nextNumber: () => {
      number += 1;
      return number;
    },
    add: (request) => {
      requests.push(request);
      if (path !== undefined) appendFileSync(path, `${JSON.stringify(request)}\n`);
    },
    reset: () => {
      requests.length = 0;
      used.fill(0);
    },
  };
}
