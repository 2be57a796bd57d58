import { homedir } from 'node:os';
import type { Shell } from './shell.ts';

/** The person's home directory: what `~/` means in a plan, and what is hidden from Runs. Absolute. */
export const userHomeOf = ({ env }: Pick<Shell, 'env'>): string =>
  env.HOME?.startsWith('/') === true ? env.HOME : homedir();
