import { randomBytes } from 'node:crypto';
import type { Context, ErrorHandler } from 'hono';
import { isStoreError } from '../store/store-error.ts';
import { type ProblemResponse, problem } from './problem.ts';

/** A request that failed by a defect or by the store; the answer carries the same id and none of the rest. */
export interface FailedRequest {
  readonly id: string;
  readonly method: string;
  /** As the route is written, without what was sent. */
  readonly route: string;
  readonly error: unknown;
}

export type Report = (failed: FailedRequest) => void;

const ID_BYTES = 4;
/** Over soon, or somebody else's turn: not worth a line in a log. */
const PASSING: ReadonlySet<string> = new Set(['store_busy', 'store_closed', 'item_quarantined']);

const isUnreadable = (error: Error, { req }: Context): boolean =>
  // Hono says so itself where a body is no JSON; and a sender that went away has no body.
  ('status' in error && error.status === 400) || req.raw.signal.aborted;

/** What nobody expected: told in full to who runs the server, and to the sender only where to look for it. */
export const failures =
  (report: Report): ErrorHandler =>
  (error, context): ProblemResponse => {
    if (isUnreadable(error, context)) return problem(context, { code: 'invalid_request', message: error.message });
    if (isStoreError(error) && PASSING.has(error.code))
      return problem(context, { code: error.code, message: error.message });
    const id = randomBytes(ID_BYTES).toString('hex');
    report({ id, method: context.req.method, route: context.req.routePath, error });
    const next = `The server's log tells more under ${id}.`;
    const code = isStoreError(error) ? error.code : 'internal';
    return problem(context, { code, message: `The server failed at this request (${id}).`, next });
  };
