import { bytesOf, cutBytes } from '../../context/cut.ts';
import { isUnfinished } from '../../core/index.ts';
import type { ActionPart, CriterionPart, MessagePart, Picture } from './picture.ts';
import { CUT_MARKER, recut } from './words.ts';

/** One rung: how many steps it has for this picture, and what the next of them takes away. */
interface Rung {
  readonly name: string;
  readonly steps: (picture: Picture) => number;
  /** `step` counts from 0. */
  readonly take: (picture: Picture, step: number) => Picture;
}

type ListKey = 'memory' | 'background' | 'conversation' | 'actions' | 'requests' | 'unknownOperations' | 'vps';

/** Cuts again what may have been cut before. */
function cutAgain(text: string, maxBytes: number): string {
  if (bytesOf(text) <= maxBytes) return text;
  const marker = CUT_MARKER.exec(text)?.[0];
  return marker === undefined ? cutBytes(text, maxBytes) : recut(text.slice(0, -marker.length), maxBytes, marker);
}

/** Cuts the named texts of an entry; absent ones stay absent. */
function cutFields<T extends object>(entry: T, fields: readonly (keyof T)[], maxBytes: number): T {
  const cut = fields.flatMap((field) => {
    const value = entry[field];
    return typeof value === 'string' ? [[field, cutAgain(value, maxBytes)]] : [];
  });
  return { ...entry, ...Object.fromEntries(cut) };
}

function withoutFields<T extends object>(entry: T, fields: readonly (keyof T)[]): T {
  const kept = { ...entry };
  for (const field of fields) delete kept[field];
  return kept;
}

const noted = ({ omitted }: Picture, what: string, count: number): Picture['omitted'] =>
  count === 0 ? omitted : { ...omitted, [what]: (omitted[what] ?? 0) + count };

const keep = (picture: Picture, key: ListKey, from: number, to: number): Picture => ({
  ...picture,
  [key]: picture[key].slice(from, to),
  omitted: noted(picture, key, picture[key].length - Math.max(0, to - from)),
});

/** One rung that drops a list entry by entry, the oldest first. */
const dropOldest = (key: ListKey): Rung => ({
  name: key,
  steps: (picture) => picture[key].length,
  take: (picture) => keep(picture, key, 1, picture[key].length),
});

/** Only the newest entries of a list, in one step. */
const keepNewest = (key: ListKey, most: number): Rung => ({
  name: `${key} beyond ${most}`,
  steps: (picture) => (picture[key].length > most ? 1 : 0),
  take: (picture) => keep(picture, key, Math.max(0, picture[key].length - most), picture[key].length),
});

/** Only the first entries of a list, in one step. */
const keepFirst = (key: ListKey, most: number): Rung => ({
  name: `${key} beyond ${most}`,
  steps: (picture) => (picture[key].length > most ? 1 : 0),
  take: (picture) => keep(picture, key, 0, most),
});

const once = (name: string, take: (picture: Picture) => Picture): Rung => ({ name, steps: () => 1, take });

const eachCriterion = (name: string, change: (criterion: CriterionPart) => CriterionPart): Rung =>
  once(name, (picture) => ({ ...picture, criteria: picture.criteria.map(change) }));

const isOpen = ({ status }: ActionPart): boolean => isUnfinished(status);

const finishedOf = (picture: Picture): number => picture.actions.filter((action) => !isOpen(action)).length;

/** One step per finished Action, the oldest first: they stand last, the newest in front. */
const eachFinished = (name: string, change: (action: ActionPart) => ActionPart): Rung => ({
  name,
  steps: finishedOf,
  take: (picture, step) => {
    const at = picture.actions.length - 1 - step;
    return { ...picture, actions: picture.actions.map((action, index) => (index === at ? change(action) : action)) };
  },
});

const eachUnfinished = (name: string, change: (action: ActionPart) => ActionPart): Rung =>
  once(name, (picture) => ({
    ...picture,
    actions: picture.actions.map((action) => (isOpen(action) ? change(action) : action)),
  }));

const dropLastAction = (picture: Picture): Picture => keep(picture, 'actions', 0, picture.actions.length - 1);

/** What its executor said, shortened; the details go. */
function cutReport(action: ActionPart, maxBytes: number): ActionPart {
  const { reported } = action;
  if (!reported) return action;
  return {
    ...action,
    reported: cutFields(withoutFields(reported, ['claims', 'outputs']), ['summary', 'error'], maxBytes),
  };
}

const brief = ['objective', 'approach', 'expectedOutcome', 'rationale'] as const;

/** What is left of an Action when even its brief is too much. */
const bare = (action: ActionPart): ActionPart =>
  cutFields(
    withoutFields({ ...action, for: action.for.slice(0, 8) }, [
      'approach',
      'expectedOutcome',
      'rationale',
      'sources',
      'conflict',
      'closeReason',
      'reported',
    ]),
    ['objective', 'name'],
    96,
  );

const compactFinished = (action: ActionPart): ActionPart =>
  cutReport(
    cutFields(withoutFields(action, ['approach', 'expectedOutcome', 'rationale']), ['objective', 'closeReason'], 256),
    400,
  );

/** Changes what people said: `latest` is the newest message, which is cut last of all. */
const eachMessage = (name: string, change: (message: MessagePart, latest: boolean) => MessagePart): Rung =>
  once(name, (picture) => {
    const { messages } = picture.now;
    const changed = messages.map((message, index) => change(message, index === messages.length - 1));
    return { ...picture, now: { ...picture.now, messages: changed } };
  });

/** All but the newest, one by one. */
const dropNews = (key: 'messages' | 'answers'): Rung => ({
  name: `new ${key}`,
  steps: ({ now }) => Math.max(0, now[key].length - 1),
  take: (picture) => ({
    ...picture,
    now: { ...picture.now, [key]: picture.now[key].slice(1) },
    omitted: noted(picture, key, 1),
  }),
});

const cutContract = (goalBytes: number, instructionsBytes: number): Rung =>
  once(`goal beyond ${goalBytes} bytes`, (picture) => ({
    ...picture,
    contract: cutFields(cutFields(picture.contract, ['goal'], goalBytes), ['instructions'], instructionsBytes),
  }));

/**
 * What is taken away when the picture is too large, in this order. A rung is descended whole before the next is
 * touched, and of the last one needed no more is taken than needed. Ids, standings and states go last: what cannot be
 * read in full can still be decided about.
 */
export const LADDER: readonly Rung[] = Object.freeze([
  dropOldest('memory'),
  dropOldest('background'),
  dropOldest('conversation'),
  eachFinished('details of finished Actions', compactFinished),
  once('details of requests', (picture) => ({
    ...picture,
    requests: picture.requests.map((request) => withoutFields(request, ['details'])),
  })),
  eachMessage('quotes of older messages', (message, latest) => (latest ? message : withoutFields(message, ['quote']))),
  eachCriterion('evidence of proven criteria', (criterion) =>
    criterion.standing === 'passed' ? withoutFields(criterion, ['reported']) : criterion,
  ),
  eachUnfinished('briefs beyond 256 bytes', (action) => cutFields(action, brief, 256)),
  eachFinished('all but the state of finished Actions', bare),
  eachCriterion('criteria beyond 1 KiB', (criterion) => cutFields(criterion, ['text'], 1_024)),
  eachCriterion('evidence, and checks beyond 256 bytes', (criterion) =>
    cutFields(withoutFields(criterion, ['reported']), ['check'], 256),
  ),
  eachMessage('older messages beyond 1 KiB', (message, latest) =>
    latest ? message : cutFields(message, ['text'], 1_024),
  ),
  cutContract(4_096, 1_024),
  { name: 'finished Actions', steps: finishedOf, take: dropLastAction },
  eachUnfinished('reports beyond 256 bytes', (action) => cutReport(action, 256)),
  eachMessage('the newest message beyond 8 KiB, and its quote', (message) =>
    cutFields(withoutFields(message, ['quote']), ['text'], 8_192),
  ),
  eachCriterion('criteria beyond 384 bytes', (criterion) => cutFields(criterion, ['text'], 384)),
  eachUnfinished('all but the state of unfinished Actions', bare),
  dropNews('messages'),
  dropNews('answers'),
  cutContract(1_024, 256),
  keepFirst('vps', 12),
  keepNewest('requests', 8),
  keepNewest('unknownOperations', 8),
  eachCriterion('criteria beyond 128 bytes', (criterion) => cutFields(criterion, ['text', 'check'], 128)),
  once('questions beyond 256 bytes', (picture) => ({
    ...picture,
    requests: picture.requests.map((request) => cutFields(request, ['question'], 256)),
    now: {
      ...picture.now,
      answers: picture.now.answers.map((answer) => cutFields(answer, ['question', 'text'], 1_024)),
    },
  })),
  eachMessage('the newest message beyond 2 KiB', (message) => cutFields(message, ['text'], 2_048)),
  { name: 'unfinished Actions', steps: ({ actions }) => actions.filter(isOpen).length, take: dropLastAction },
]);

/** All steps of all rungs for this picture, in order. */
const stepsOf = (picture: Picture): readonly ((picture: Picture) => Picture)[] =>
  LADDER.flatMap(({ steps, take }) =>
    Array.from({ length: steps(picture) }, (_, step) => (before: Picture) => take(before, step)),
  );

/** Descends until `fits`, and no further than needed; `fits` is asked about ten times. The last step may not fit. */
export function descend(whole: Picture, fits: (picture: Picture) => boolean): Picture {
  if (fits(whole)) return whole;
  const steps = stepsOf(whole);
  const after = (count: number) => steps.slice(0, count).reduce((picture, take) => take(picture), whole);
  let low = 0;
  let high = steps.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (fits(after(middle))) high = middle;
    else low = middle;
  }
  return after(high);
}
