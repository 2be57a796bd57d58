import { EXIT, type ExitCode } from './exit-codes.ts';

/** What a command says when it worked: text for people, one document for programs. */
export interface Answer {
  readonly type: 'answer';
  readonly exit: ExitCode;
  /** Without the final newline; empty prints nothing. */
  readonly text: string;
  readonly json: unknown;
}

/** Why a command did not work: what was expected, what was found, what to do next. A value, never thrown. */
export interface Failure {
  readonly type: 'failure';
  readonly exit: ExitCode;
  /** Stable, the same on every surface. */
  readonly code: string;
  readonly message: string;
  readonly expected?: string;
  readonly found?: string;
  readonly next?: string;
  /** Every problem of a plan, for programs; `text` says the same for people. */
  readonly problems?: readonly unknown[];
  /** Replaces the message where people read it. */
  readonly text?: string;
}

export type Outcome = Answer | Failure;

export const answer = (text: string, json: unknown, exit: ExitCode = EXIT.ok): Answer => ({
  type: 'answer',
  exit,
  text,
  json,
});

export const failure = (
  exit: ExitCode,
  code: string,
  message: string,
  more: Pick<Failure, 'expected' | 'found' | 'next' | 'problems' | 'text'> = {},
): Failure => ({ type: 'failure', exit, code, message, ...more });

/** A value that cannot be taken, in the words of every such refusal. */
export const bad = (message: string, expected: string, found: string, next?: string): Failure =>
  failure(EXIT.invalid, 'invalid_value', message, { expected, found, ...(next === undefined ? {} : { next }) });

export const isFailure = (value: unknown): value is Failure =>
  typeof value === 'object' && value !== null && 'type' in value && value.type === 'failure';
