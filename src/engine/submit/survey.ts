import { realpath, rm } from 'node:fs/promises';
import { relative } from 'node:path';
import { type Base, type Rejection, reject } from '../../core/index.ts';
import type { DirtyPolicy } from '../../plan/compile/compile.ts';
import { copyDirectory } from '../../workspace/files/copy-directory.ts';
import { manifest } from '../../workspace/files/manifest.ts';
import { snapshotDirty } from '../../workspace/user-repository/dirty-snapshot.ts';
import { type GitFacts, inspectDirectory } from '../../workspace/user-repository/inspect.ts';
import type { Home } from '../home.ts';
import { stamp } from '../repository.ts';
import { copyForBase } from '../run/in-place.ts';
import type { SubmitRefusal } from './refusal.ts';

/** What is known of the directory before the plan is compiled. */
export interface Ground {
  readonly directory: string;
  readonly base: Base;
  readonly defaultBranch?: string;
  readonly workspace: 'isolated' | 'in-place';
}

/** What a survey is given: where copies go, the person's environment, the time. */
export interface SurveyWorld {
  readonly home: Home;
  readonly env: Readonly<Record<string, string>>;
  readonly now: () => number;
}

/** The directory, and what the person wants of it. */
export interface SurveyRequest {
  readonly directory: string;
  readonly dirty: DirtyPolicy;
  /** The plan asks for work in the directory itself. */
  readonly inPlace: boolean;
  /** The plan itself, absolute: lying uncommitted in the repository it is not work that could be lost. */
  readonly planFile?: string;
}

const advice = (code: 'invalid_field', message: string, found: string, next: string): Rejection =>
  reject(code, message, { found, next });

/** Refuses early, with advice, what would only go wrong later (quality.md, "Odd repositories"). */
function oddity(facts: GitFacts): Rejection | undefined {
  if (facts.bare)
    return advice(
      'invalid_field',
      'A bare repository has no files to work on.',
      facts.topLevel,
      'Clone it and submit from the clone.',
    );
  if (facts.head.commit === undefined) {
    return advice(
      'invalid_field',
      'The repository has no commit yet.',
      facts.topLevel,
      'Make a first commit, then submit again.',
    );
  }
  if (facts.partialClone) {
    return advice(
      'invalid_field',
      'A partial clone may lack objects that the work needs.',
      facts.topLevel,
      'Fetch them: git fetch --refetch --filter=blob:none is not enough; clone fully.',
    );
  }
  return undefined;
}

function isDirty(facts: GitFacts, planFile: string | undefined): boolean {
  const { tracked, untracked } = facts.dirty;
  const count = tracked.count + untracked.count;
  const own = planFile === undefined ? undefined : relative(facts.topLevel, planFile);
  const onlyThePlan = count === 1 && [...tracked.paths, ...untracked.paths][0] === own;
  return count > 0 && !onlyThePlan;
}

const gitBase = (facts: GitFacts, commit: string): Base => ({
  kind: 'git',
  commit,
  cleanCommit: facts.head.commit ?? commit,
  ...(facts.head.branch === undefined ? {} : { branch: facts.head.branch }),
  topLevel: facts.topLevel,
  gitDir: facts.commonDir,
  subdirectory: facts.subdirectory,
});

function ground(facts: GitFacts, commit: string, workspace: Ground['workspace']): Ground {
  const { branch } = facts.head;
  const base = gitBase(facts, commit);
  return { directory: facts.realPath, base, workspace, ...(branch === undefined ? {} : { defaultBranch: branch }) };
}

/** Keeps a copy of the directory as it is, which checks compare with; the refusal where that cannot be done. */
async function copied(
  { home }: SurveyWorld,
  directory: string,
  itemId: string,
  copy: (from: string, to: string) => Promise<void>,
): Promise<Rejection | undefined> {
  const data = await realpath(home.root);
  if (data === directory || !relative(directory, data).startsWith('..')) {
    const next = 'Choose another directory, or keep the data elsewhere: WORKCENTER_HOME.';
    return advice('invalid_field', 'The directory holds the data of Work Center itself.', data, next);
  }
  try {
    await copy(directory, home.plainBase(itemId));
    return undefined;
  } catch (error) {
    await rm(home.plainBase(itemId), { recursive: true, force: true });
    const found = error instanceof Error ? error.message : String(error);
    return advice('invalid_field', 'The directory cannot be copied.', found, 'Make its files readable, or free space.');
  }
}

/** The repository's own files are worked on; a copy of them as they are, edits included, is what checks compare with. */
async function inPlaceGround(world: SurveyWorld, facts: GitFacts, itemId: string): Promise<Ground | Rejection> {
  const place = ground(facts, facts.head.commit ?? '', 'in-place');
  return (await copied(world, place.directory, itemId, copyForBase)) ?? place;
}

function uncommitted({ dirty: { tracked, untracked } }: GitFacts): SubmitRefusal {
  const paths = [...tracked.paths, ...untracked.paths].slice(0, 5).join(', ');
  return {
    code: 'uncommitted_work',
    message: 'The directory has uncommitted work.',
    expected: 'a clean tree',
    found: `${tracked.count} changed and ${untracked.count} untracked file(s): ${paths}`,
    next: 'Commit it, or work from a private copy of it (--dirty snapshot) or in the directory itself (--dirty in-place).',
  };
}

async function dirtyGround(
  world: SurveyWorld,
  facts: GitFacts,
  request: SurveyRequest,
  itemId: string,
): Promise<Ground | SubmitRefusal> {
  const head = facts.head.commit ?? '';
  if (request.dirty === 'in-place') return inPlaceGround(world, facts, itemId);
  if (request.dirty === 'refuse') return uncommitted(facts);
  const { author, at } = stamp(world.now());
  const edits = { userGitDir: facts.gitDir, topLevel: facts.topLevel, itemId, head, userEnv: world.env };
  const snapshot = await snapshotDirty({ ...edits, author, at });
  if (snapshot.kind === 'too_large') {
    return reject('invalid_field', 'The uncommitted work is too large for a snapshot.', {
      expected: `at most ${snapshot.limitBytes} bytes`,
      found: `${snapshot.bytes} bytes`,
      next: 'Commit it, or add the large files to .gitignore.',
    });
  }
  return ground(facts, snapshot.kind === 'clean' ? head : snapshot.commit, 'isolated');
}

async function plainGround(world: SurveyWorld, directory: string, itemId: string): Promise<Ground | Rejection> {
  const listed = await manifest(directory);
  if (listed.kind !== 'manifest') {
    return reject('invalid_field', 'The directory is too large to be watched without git.', {
      found: listed.kind,
      next: 'Run git init there, or choose a smaller directory.',
    });
  }
  const plain = { kind: 'plain', contentHash: listed.manifest.sha256 } as const;
  return (await copied(world, directory, itemId, copyDirectory)) ?? { directory, base: plain, workspace: 'in-place' };
}

/**
 * Looks at the directory before the plan is compiled: odd repositories and uncommitted work are refused with advice,
 * or become the ground that the item stands on. A copy or a snapshot that this needs is made under the item's id.
 */
export async function surveyDirectory(
  world: SurveyWorld,
  request: SurveyRequest,
  itemId: string,
): Promise<Ground | SubmitRefusal> {
  const facts = await inspectDirectory(request.directory);
  switch (facts.kind) {
    case 'missing':
      return advice('invalid_field', 'The directory does not exist.', facts.path, 'Check the path.');
    case 'not_a_directory':
      return advice('invalid_field', 'The path is not a directory.', facts.path, 'Check the path.');
    case 'broken':
      return advice(
        'invalid_field',
        'Git cannot read the repository.',
        facts.message,
        'Run git status there and mend what it says.',
      );
    case 'plain':
      return plainGround(world, facts.realPath, itemId);
    case 'git': {
      if (facts.ignored) return plainGround(world, facts.realPath, itemId);
      const odd = oddity(facts);
      if (odd) return odd;
      if (request.inPlace) return inPlaceGround(world, facts, itemId);
      return isDirty(facts, request.planFile)
        ? dirtyGround(world, facts, request, itemId)
        : ground(facts, facts.head.commit ?? '', 'isolated');
    }
  }
}
