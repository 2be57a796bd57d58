import { expect, it } from 'vitest';
import { demoProject, git, npmTest, type Project, runToEnd } from './support.ts';

const ROUNDING = 'rounds half a cent of a credit note away from zero, like that of its invoice';
const QUOTES = 'reads two quotes inside quotes as one';

const install = async (project: Project): Promise<void> => {
  expect(await runToEnd(project.repository, ['npm', 'ci', '--offline'])).toMatchObject({ code: 0 });
};

const agent = (project: Project, bug: string, attempt: number) =>
  runToEnd(project.repository, ['node', `${project.agents}/canned-agent.mjs`, bug], {
    WORKCENTER_ATTEMPT: String(attempt),
    WORKCENTER_BRIEF: '/dev/null',
  });

it('makes a repository with a history, a clean tree and its hidden files', async () => {
  const { repository } = await demoProject();
  expect(await git(repository, 'status', '--porcelain')).toBe('');
  expect(await git(repository, 'rev-list', '--count', 'HEAD')).toBe('3');
  const files = (await git(repository, 'ls-files')).split('\n');
  expect(files).toEqual(expect.arrayContaining(['.gitignore', '.npmrc', 'package-lock.json']));
  expect(files.filter((file) => file.startsWith('dot-'))).toEqual([]);
});

it('makes a project whose tests cannot pass before its dependency is installed', async () => {
  const { repository } = await demoProject();
  const { failing } = await npmTest(repository);
  expect(failing.some((name) => name.endsWith('report.test.js'))).toBe(true);
});

it('makes a project in which exactly the two tests fail, each mended by its own fix alone', async () => {
  const project = await demoProject();
  await install(project);
  const base = await npmTest(project.repository);
  expect([...base.failing].sort()).toEqual([QUOTES, ROUNDING]);
  expect(base.tests).toBeGreaterThanOrEqual(12);

  expect(await agent(project, 'rounding', 1)).toMatchObject({ code: 0 });
  expect((await npmTest(project.repository)).failing).toEqual([QUOTES]);
  expect(await agent(project, 'quotes', 2)).toMatchObject({ code: 0 });
  expect(await npmTest(project.repository)).toEqual({ failing: [], tests: base.tests, code: 0 });
  expect(await git(project.repository, 'diff', '--name-only')).toBe('src/csv.js\nsrc/money.js');
});

it('has one stand-in that claims success at first without any fix', async () => {
  const project = await demoProject();
  const claim = await agent(project, 'quotes', 1);
  expect(claim).toMatchObject({ code: 0 });
  expect(claim.stdout).toContain('All tests pass.');
  expect(await git(project.repository, 'diff', '--name-only')).toBe('test/csv.test.js');
  await git(project.repository, 'checkout', '--quiet', 'HEAD', '--', 'test');
  await install(project);
  expect((await npmTest(project.repository)).failing).toContain(QUOTES);
});
