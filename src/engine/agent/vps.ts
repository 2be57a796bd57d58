import { loadVps, type VpRegistry } from '../../vp/index.ts';
import type { World } from '../world.ts';

/** The VPs of a project and of its person, read afresh: a file that was edited counts from the next Run on. */
export const registryFor = (world: World, projectDirectory: string): Promise<VpRegistry> =>
  loadVps({ projectDirectory, userDirectory: world.userConfigDir, userHome: world.userHome });
