import type { ModelResponse } from '../model/index.ts';
import { type Compiled, compileDecision } from './decision/compile-decision.ts';
import type { CompileInput } from './decision/compile-input.ts';
import { readDecision } from './decision/read-decision.ts';

/** From a model's answer to what the core is asked to do, or to everything that is wrong with it. Pure. */
export function turnAnswer(response: ModelResponse, input: CompileInput): Compiled {
  const read = readDecision(response);
  return read.kind === 'written' ? compileDecision(read.decision, input) : read;
}
