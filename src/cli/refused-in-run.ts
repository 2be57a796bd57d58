import { type Failure, failure } from './answer.ts';
import { EXIT } from './exit-codes.ts';

/** What works inside of a Run has no person's authority, whoever started it (architecture, "Security posture"). */
export const refusedInRun = (what: string, runId: string): Failure =>
  failure(EXIT.refused, 'user_required', `${what} needs a person's authority.`, {
    expected: 'a person at a terminal',
    found: `inside of Run ${runId} (WORKCENTER_RUN is set)`,
    next: 'Say in your outcome what should be done; a person decides.',
  });
