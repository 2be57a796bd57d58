import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const VERSION = '1.18.33';

/** Runs on every processor of its kind; the usual one for x64 wants instructions that older ones lack. */
function platformPackage(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  return `opencode-${system}-${process.arch}${process.arch === 'x64' ? '-baseline' : ''}`;
}

const directory = fileURLToPath(new URL(`../../node_modules/.cache/agents/opencode-${VERSION}`, import.meta.url));
const name = platformPackage();

/** Where the OpenCode that tests drive is, or will be once `npm run test:agents` has installed it. */
export const OPENCODE = {
  package: `${name}@${VERSION}`,
  directory,
  program: join(directory, 'node_modules', name, 'bin', process.platform === 'win32' ? 'opencode.exe' : 'opencode'),
} as const;
