import { join } from 'node:path';

/**
 * What a Run of a command keeps in its directory. Only `report` (and the private places) can be written by the
 * command: it may lie about its end there, and only there.
 */
export interface RunFiles {
  readonly brief: string;
  /** Output, redacted, as it streamed. */
  readonly log: string;
  readonly report: string;
  readonly outcome: string;
  readonly exit: string;
}

export function runFiles(runDir: string): RunFiles {
  const report = join(runDir, 'report');
  return {
    brief: join(runDir, 'brief.md'),
    log: join(runDir, 'output.log'),
    report,
    outcome: join(report, 'outcome.json'),
    exit: join(report, 'exit'),
  };
}
