import type { Failure } from './answer.ts';
import { EXIT } from './exit-codes.ts';

/** What was typed, as far as it helps to say what to do next. */
export interface Typing {
  readonly name: string;
  readonly args: readonly string[];
}

function nextOf({ exit, code }: Failure, { name, args: [id] }: Typing): string {
  if (exit === EXIT.invalid || id === undefined) return `workcenter ${name} --help`;
  return code === 'item_not_found' ? 'workcenter ls --all' : `workcenter show ${id}`;
}

/** Every refusal says what to do next and what was found, also where whoever refused had nothing special to say. */
export function completeFailure(problem: Failure, typing: Typing): Failure {
  const { args, name } = typing;
  const found = problem.found ?? `workcenter ${[name, ...args].join(' ')}`.trimEnd();
  return { ...problem, found: found.trim() === '' ? 'nothing' : found, next: problem.next ?? nextOf(problem, typing) };
}
