import { lookAtProject } from '../engine/on-demand/look-at-project.ts';
import type { DetectContext } from '../plan/detect/detect-project.ts';
import type { Shell } from './shell.ts';

/** This machine, as detection looks at it. */
export const machine = (directory: string, { env }: Pick<Shell, 'env'>): DetectContext =>
  lookAtProject(directory, env.PATH);
