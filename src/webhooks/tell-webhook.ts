import type { Store } from '../store/store.ts';
import { type Delivering, deliverFirst, isActive } from './deliver.ts';
import { pruneLog } from './log.ts';
import { dueQueues } from './queue.ts';
import { getKept, type Kept, type Webhook, webhooks } from './records.ts';
import { type Walked, walk, walkedBefore } from './walk.ts';

/** Requests at a time to one receiver. One that hangs holds up nobody but itself. */
const AT_A_TIME = 4;
/** After so many attempts the log is looked through. */
const PRUNE_EVERY = 50;

/** What is known of one webhook while the lease is held. */
interface Course {
  walked: Walked;
  sincePruned: number;
}

export type Courses = Map<string, Course>;

async function courseOf(courses: Courses, store: Store, webhook: Kept<Webhook>): Promise<Course> {
  const known = courses.get(webhook.id);
  if (known) return known;
  const course = { walked: await walkedBefore(store, webhook), sincePruned: PRUNE_EVERY };
  courses.set(webhook.id, course);
  return course;
}

async function prune(deps: Delivering, id: string, course: Course): Promise<void> {
  if (course.sincePruned < PRUNE_EVERY) return;
  course.sincePruned = 0;
  await pruneLog(deps.store, id, deps.now());
}

async function activeOf(store: Store, id: string): Promise<Kept<Webhook> | undefined> {
  const webhook = await getKept(store, webhooks, id);
  return webhook && isActive(webhook.value) ? webhook : undefined;
}

/** Sends what is due, as the webhook is now: a walk takes time. Answers whether there was anything. */
async function sendDue(deps: Delivering, id: string, course: Course, signal: AbortSignal): Promise<boolean> {
  const { store, now } = deps;
  const webhook = await activeOf(store, id);
  if (!webhook) return false;
  const due = await dueQueues(store, id, { now: now(), limit: AT_A_TIME });
  await Promise.all(due.map((row) => deliverFirst(deps, webhook, row, signal)));
  course.sincePruned += due.length;
  await prune(deps, id, course);
  return due.length > 0;
}

/** Tells one webhook until nothing happened that it does not know, and nothing is due; or until the signal is given. */
export async function tellWebhook(deps: Delivering, courses: Courses, id: string, signal: AbortSignal): Promise<void> {
  const { store, now } = deps;
  while (!signal.aborted) {
    const webhook = await activeOf(store, id);
    if (!webhook) return;
    const course = await courseOf(courses, store, webhook);
    const before = course.walked.cursor;
    course.walked = await walk(store, webhook, course.walked, now());
    const wasDue = await sendDue(deps, id, course, signal);
    if (!wasDue && course.walked.cursor === before) return;
  }
}
