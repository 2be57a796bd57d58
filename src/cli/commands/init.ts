import { existsSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { DetectedProject } from '../../plan/detect/detect-project.ts';
import { answer, failure, type Outcome } from '../answer.ts';
import type { CommandModule } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { machine } from '../machine.ts';
import { flagOption, type Input, textOption } from '../options.ts';
import type { Shell } from '../shell.ts';

const FILE = 'workcenter.yaml';

const isDirectory = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** What was found, so that a person can judge the plan before reading it. */
function findings(detected: DetectedProject): readonly string[] {
  const checks = detected.checks.map(({ run }) => run).join(', ');
  const agents = detected.agents.map(({ name }) => name).join(', ');
  return [
    `  project  ${detected.ecosystem}`,
    `  set-up   ${detected.setup?.run ?? 'none found'}`,
    `  checks   ${checks || 'none found; write your own'}`,
    `  agents   ${agents || 'none found on PATH; the plan says what to put in'}`,
  ];
}

async function writePlan(shell: Shell, input: Input): Promise<Outcome> {
  const directory = resolve(shell.cwd, textOption(input, 'repo') ?? '.');
  if (!isDirectory(directory)) {
    return failure(EXIT.notFound, 'directory_not_found', 'The directory does not exist.', {
      expected: 'a project directory',
      found: existsSync(directory) ? `the file ${directory}` : directory,
      next: 'Check --repo.',
    });
  }
  const path = join(directory, FILE);
  if (existsSync(path) && !flagOption(input, 'force')) {
    return failure(EXIT.refused, 'file_exists', `${FILE} exists.`, {
      expected: `no ${FILE} in ${directory}`,
      found: path,
      next: 'Edit it, or replace it with --force.',
    });
  }
  const { detectProject } = await import('../../plan/detect/detect-project.ts');
  const { planTemplate } = await import('../../plan/detect/plan-template.ts');
  const detected = detectProject(machine(directory, shell));
  const goal = textOption(input, 'goal');
  await writeFile(path, planTemplate(detected, goal === undefined ? {} : { goal }));
  const next = [`1. Edit ${FILE}: the goal, and how you will know it is met.`, `2. workcenter run ${FILE}`];
  const text = [`Wrote ${path}`, '', ...findings(detected), '', ...next].join('\n');
  return answer(text, { path, ...detected });
}

export const init: CommandModule = {
  define: (parser) =>
    void parser
      .option('--goal <words>', 'what to put in as the goal')
      .option('--repo <dir>', 'project directory; this one by default')
      .option('--force', `replace ${FILE}`),
  examples: ['workcenter init', 'workcenter init --goal "Payments are idempotent"'],
  userOnly: false,
  run: writePlan,
};
