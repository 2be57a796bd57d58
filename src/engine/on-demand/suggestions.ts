import { type DetectedProject, detectProject } from '../../plan/detect/detect-project.ts';
import { lockedSetup } from '../../plan/detect/locked-setup.ts';
import { lookAtProject } from './look-at-project.ts';

/** What may be asked for in a directory, told from its files. */
export type Suggestions = Pick<DetectedProject, 'ecosystem' | 'setup' | 'checks'>;

/** Of a directory that is not there, nothing. Its agents are not looked for: new work is for VPs. */
export function suggestionsFor(directory: string): Suggestions {
  const context = lookAtProject(directory, undefined);
  const found = detectProject(context);
  const setup = lockedSetup(found, context);
  return { ecosystem: found.ecosystem, checks: found.checks, ...(setup ? { setup } : {}) };
}
