import type { Event } from '../../../../src/client/index.ts';

/** What of an event is worth a line: of what it is, how it went, in which words. All of it is behind "JSON". */
export interface EventFacts {
  readonly actionId?: string;
  readonly runId?: string;
  /** Short words in the language of the domain, such as `completed` or `budget_exhausted`. */
  readonly marks: readonly string[];
  readonly text?: string;
}

type Parts = Readonly<Record<string, unknown>>;

const isParts = (value: unknown): value is Parts => typeof value === 'object' && value !== null;

/** A string at a path such as `run.status`. */
function stringAt(body: Parts, path: string): string | undefined {
  let value: unknown = body;
  for (const name of path.split('.')) value = isParts(value) ? value[name] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

const firstOf = (body: Parts, paths: readonly string[]): string | undefined => {
  for (const path of paths) {
    const found = stringAt(body, path);
    if (found !== undefined) return found;
  }
  return undefined;
};

const ACTION = [
  'actionId',
  'action.id',
  'run.actionId',
  'call.of.actionId',
  'request.subject.actionId',
  'target.actionId',
];
const RUN = ['runId', 'run.id', 'operation.runId', 'call.of.runId'];
const MARKS = [
  ...['run.status', 'run.code', 'failureCode', 'cause', 'as', 'effect', 'choice', 'code', 'hold.code', 'request.kind'],
  ...['request.subject.kind', 'delivery.target', 'parked.reason', 'call.model', 'stop', 'operation.tool'],
];
const TEXT = [
  ...['message.text', 'request.question', 'text', 'reply', 'guidance', 'reason', 'summary', 'run.summary', 'detail'],
  ...['hold.details', 'error', 'action.spec.name', 'contract.title', 'pull.url', 'ref', 'head', 'result.summary'],
];

const listOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];

export function factsOf({ body }: Event): EventFacts {
  const [actionId, runId, text] = [firstOf(body, ACTION), firstOf(body, RUN), firstOf(body, TEXT)];
  const marks = MARKS.flatMap((path) => stringAt(body, path) ?? []);
  return {
    ...(actionId === undefined ? {} : { actionId }),
    ...(runId === undefined ? {} : { runId }),
    marks: [...new Set([...marks, ...listOf(body.kinds), ...listOf(body.changed)])],
    ...(text === undefined ? {} : { text }),
  };
}
