import { cp, mkdir, readdir } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { git } from '../../workspace/git/run-git.ts';

/** Files of the demo that are copied as they are; beside this module in source and build alike. */
const ASSETS = Object.freeze({ project: asset('project'), agents: asset('agents') });

function asset(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

const AUTHOR = Object.freeze({ name: 'Tidy Invoices', email: 'tidy@example.invalid' });

interface Chapter {
  readonly message: string;
  /** Files and folders of the project that this commit adds. */
  readonly paths: readonly string[];
}

/** The history of the project, so that a reader finds more than one commit named "init". */
const HISTORY: readonly Chapter[] = Object.freeze([
  {
    message: 'Add money that adds up, and tax per rate',
    paths: ['package.json', '.gitignore', 'src/money.js', 'src/tax.js'],
  },
  {
    message: 'Make invoices of an order list and print them',
    paths: ['README.md', '.npmrc', 'package-lock.json', 'vendor', 'src'],
  },
  { message: 'Test it, with what two customers reported', paths: ['test'] },
]);

/** Names that package managers leave out of what they ship are stored as `dot-NAME`. */
const shippedName = (name: string): string => name.replace(/^dot-/, '.');

/** Copies a folder of files, giving hidden files their names back. */
async function layDown(source: string, target: string): Promise<void> {
  const entries = await readdir(source, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((each) => each.isFile())) {
    const from = join(entry.parentPath, entry.name);
    const to = join(target, dirname(relative(source, from)), shippedName(basename(from)));
    await mkdir(dirname(to), { recursive: true });
    await cp(from, to);
  }
}

const identity = (date: string): Readonly<Record<string, string>> => ({
  GIT_AUTHOR_NAME: AUTHOR.name,
  GIT_AUTHOR_EMAIL: AUTHOR.email,
  GIT_AUTHOR_DATE: date,
  GIT_COMMITTER_NAME: AUTHOR.name,
  GIT_COMMITTER_EMAIL: AUTHOR.email,
  GIT_COMMITTER_DATE: date,
});

/** One commit after the other, an hour apart, the last one at `at` (epoch milliseconds). */
async function commitAll(repository: string, at: number): Promise<void> {
  await git(['init', '--quiet', '--initial-branch=main'], { cwd: repository });
  for (const [index, { message, paths }] of HISTORY.entries()) {
    const seconds = Math.floor(at / 1000) - (HISTORY.length - 1 - index) * 3_600;
    const date = `${seconds} +0000`;
    await git(['add', '--', ...paths], { cwd: repository });
    await git(['commit', '--quiet', '--message', message], { cwd: repository, env: identity(date) });
  }
}

/**
 * Makes the project with its two bugs at `repository`, and the stand-ins for agents at `agents`, outside of it. Both
 * directories must not exist, or be empty.
 */
export async function makeDemoProject(places: {
  readonly repository: string;
  readonly agents: string;
  /** Epoch milliseconds of the last commit. */
  readonly at: number;
}): Promise<void> {
  await layDown(ASSETS.agents, places.agents);
  await layDown(ASSETS.project, places.repository);
  await commitAll(places.repository, places.at);
}
