import type { DetectContext, DetectedProject } from './detect-project.ts';
import type { DetectedSetup } from './project.ts';

/** Names that pin versions: where there is one, an installation is what everybody means by set-up. */
const LOCKS = /(^|[./-])lock|^go\.sum$|requirements.*\.txt$|shrinkwrap/i;

/** The set-up that new work gets unless somebody says another: what the lock files of the project ask for. */
export function lockedSetup(
  { setup }: Pick<DetectedProject, 'setup'>,
  { directory, exists }: Pick<DetectContext, 'directory' | 'exists'>,
): DetectedSetup | undefined {
  return setup?.inputs.some((path) => LOCKS.test(path) && exists(`${directory}/${path}`)) ? setup : undefined;
}
