import { canonical } from '../../../core/identity.ts';

/** What a grant is given for (D16), beside Action and generation: a call that differs in anything asks again. */
export interface CanonicalCall {
  readonly tool: string;
  /** Canonical JSON of the parsed input. */
  readonly arguments: string;
  /** Where it would run. */
  readonly directory: string;
  /** All three in one text, to be compared or hashed. */
  readonly key: string;
}

/** `input` is what the tool's schema made of the model's arguments, so that a default said and a default meant are one. */
export function canonicalCall(tool: string, input: unknown, directory: string): CanonicalCall {
  const args = canonical(input);
  return { tool, arguments: args, directory, key: canonical({ tool, arguments: args, directory }) };
}
