/**
 * Installs the agents that end-to-end tests drive, beside the dependencies and outside of the lock file: one program is
 * 180 MB, and nobody who only builds or uses the package needs it. Their tests say so where it is not there.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { OPENCODE } from './agents/opencode.ts';

if (existsSync(OPENCODE.program)) {
  console.log(`${OPENCODE.package} is here`);
} else {
  mkdirSync(OPENCODE.directory, { recursive: true });
  // The program of this platform alone; the package that chooses among them brings two, and a script to run.
  const args = ['install', '--prefix', OPENCODE.directory, '--no-audit', '--no-fund', '--no-save', OPENCODE.package];
  execFileSync('npm', args, { stdio: 'inherit' });
}
