import { readExitFile } from '../../workspace/process/exit-file.ts';
import { runFiles } from './run-files.ts';

/**
 * Whether the command of an earlier Run of the same generation had already ended well when its engine died. Then a
 * new attempt takes it over (`Job.adopt`) instead of doing the work twice; its workspace must not be reset. Any
 * other exit, or none, gives undefined: the command runs again.
 */
export async function adoptFinished(place: {
  readonly runDir: string;
}): Promise<{ readonly exitCode: number } | undefined> {
  const exitCode = await readExitFile(runFiles(place.runDir).exit);
  return exitCode === 0 ? { exitCode } : undefined;
}
