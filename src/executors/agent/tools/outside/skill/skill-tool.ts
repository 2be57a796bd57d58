import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { z } from 'zod';
import { isBeneath } from '../../../../../workspace/sandbox/resolve-policy.ts';
import type { AgentTool, ToolContext, ToolOutput } from '../../../tool.ts';
import { readInside, readSkills, type Skill } from './read-skills.ts';

const MAX_FILES_LISTED = 200;

const input = z.strictObject({
  action: z.enum(['list', 'load', 'file']),
  name: z.string().max(64).optional().describe('The skill, for load and file.'),
  path: z.string().max(4_096).optional().describe('For file: a path in the folder of the skill.'),
});

export type SkillInput = z.infer<typeof input>;

/** Instructions that people left for recurring work: folders with a `SKILL.md`. */
export const skillTool: AgentTool<SkillInput> = {
  name: 'skill',
  description:
    'Skills are instructions for recurring kinds of work. list names them with what they are for; load gives the ' +
    'instructions of one and the names of its files; file gives the text of one of those. Load a skill before work ' +
    'that it describes.',
  input,
  capability: () => 'reads',
  subject: ({ name }) => name ?? '',
  timeoutMs: 30_000,
  run: async (given, context) => {
    const { skills, problems } = await readSkills(context.skillRoots);
    if (given.action === 'list') return list(skills, problems);
    const skill = skills.find(({ name }) => name === given.name);
    if (skill === undefined) return failed(`There is no skill "${given.name ?? ''}". ${namesOf(skills)}`);
    return given.action === 'load' ? load(skill, context) : file(skill, given.path ?? 'SKILL.md');
  },
};

const failed = (text: string): ToolOutput => ({ text, isError: true });

const namesOf = (skills: readonly Skill[]): string =>
  skills.length === 0 ? 'There are none.' : `There are: ${skills.map(({ name }) => name).join(', ')}.`;

function list(skills: readonly Skill[], problems: readonly string[]): ToolOutput {
  if (skills.length === 0 && problems.length === 0) return { text: 'There are no skills.' };
  const lines = skills.map(({ name, description }) => `- ${name}: ${description}`);
  const broken = problems.map((problem) => `- not usable: ${problem}`);
  return { text: [...lines, ...broken].join('\n') };
}

async function load(skill: Skill, { workspacePath, projectPath }: ToolContext): Promise<ToolOutput> {
  const names = await filesOf(skill.folder);
  if (names.length === 0) return { text: skill.body };
  const inWorkspace = isBeneath(skill.folder, workspacePath);
  const where = inWorkspace ? `in ${relative(projectPath, skill.folder)} (read them there, or` : '(read them';
  return {
    text: `${skill.body}\n\nIts files ${where} with action file):\n${names.map((name) => `- ${name}`).join('\n')}`,
  };
}

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  return files
    .filter((name) => name !== 'SKILL.md')
    .sort()
    .slice(0, MAX_FILES_LISTED);
}

async function file(skill: Skill, path: string): Promise<ToolOutput> {
  const read = await readInside(skill.folder, path);
  return 'problem' in read ? failed(`In the skill ${skill.name}, ${read.problem}`) : { text: read.text };
}
