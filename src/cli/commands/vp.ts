import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { parseVp, type Vp, type VpRegistry } from '../../vp/index.ts';
import { answer, type Failure, failure, isFailure, type Outcome } from '../answer.ts';
import type { CommandModule } from '../command.ts';
import { configDirectory } from '../config-directory.ts';
import { EXIT } from '../exit-codes.ts';
import { collect, flagOption, type Input, listOption, textOption } from '../options.ts';
import { refusedInRun } from '../refused-in-run.ts';
import { findingLines, vpList, vpText } from '../render/vps.ts';
import type { Shell } from '../shell.ts';
import { userHomeOf } from '../user-home.ts';
import { destinationOf, draftOf } from '../vp-draft.ts';

const vps = () => import('../../vp/index.ts');

const projectOf = (shell: Shell, input: Input): string => resolve(shell.cwd, textOption(input, 'repo') ?? '.');

async function registry(shell: Shell, input: Input): Promise<VpRegistry> {
  const { loadVps } = await vps();
  const userDirectory = await configDirectory(shell);
  return loadVps({ projectDirectory: projectOf(shell, input), userDirectory, userHome: userHomeOf(shell) });
}

/** A VP for programs: all but its variables, which may be secret. */
const vpJson = ({ executor, ...vp }: Vp): unknown => ({
  ...vp,
  executor: executor.kind === 'agent' ? executor : { kind: executor.kind, run: executor.run },
});

async function ls(shell: Shell, input: Input): Promise<Outcome> {
  const found = await registry(shell, input);
  const json = { vps: found.vps.map(vpJson), shadowed: found.shadowed.map(vpJson), findings: found.findings };
  return answer([...vpList(found.vps, shell), ...findingLines(found, shell)].join('\n'), json);
}

async function show(shell: Shell, input: Input): Promise<Outcome> {
  const id = input.args[1] ?? '';
  const found = await registry(shell, input);
  const vp = found.vps.find((each) => each.id === id);
  if (vp) return answer(vpText(vp, shell), vpJson(vp));
  const broken = found.findings.find((finding) => finding.kind === 'broken' && finding.id === id);
  return failure(EXIT.notFound, 'vp_not_found', `There is no VP ${id}${broken ? ' that can be used' : ''}.`, {
    expected: `one of: ${found.vps.map((each) => each.id).join(', ')}`,
    found: broken ? `${broken.source.path}, which is broken` : id || 'nothing',
    next: 'workcenter vp ls',
  });
}

/** Writes a VP's text to the project, or to the person's own folder. */
async function write(shell: Shell, input: Input, id: string, text: string): Promise<Outcome> {
  const { writeVpText } = await vps();
  const { vps: known } = await registry(shell, input);
  const places = { project: projectOf(shell, input), user: await configDirectory(shell) };
  const destination = destinationOf(flagOption(input, 'user'), places, known);
  const written = await writeVpText(id, text, destination);
  if (written.kind === 'written') {
    return answer(`Wrote ${written.path}. It counts from the next Run on.`, {
      path: written.path,
      vp: vpJson(written.vp),
    });
  }
  const { code, message, next, problems } = written;
  return failure(EXIT.invalid, `vp_${code}`, `The VP ${id} was not written: ${message}`, {
    expected: problems[0]?.expected ?? 'a VP of its own, in a folder of its own',
    found: problems[0]?.found ?? id,
    next,
    problems,
  });
}

function parsed(path: string, text: string): Vp | Failure {
  const read = parseVp(text, { kind: 'project', path });
  if (read.ok) return read.vp;
  const [first] = read.problems;
  const field = first?.field ? ` (${first.field})` : '';
  return failure(EXIT.invalid, 'vp_invalid', `${basename(path)} is no VP${field}.`, {
    ...(first ? { expected: first.expected, found: first.found, next: first.next } : {}),
    problems: read.problems,
  });
}

async function add(shell: Shell, input: Input): Promise<Outcome> {
  const path = resolve(shell.cwd, input.args[1] ?? '');
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => error);
  if (typeof text !== 'string') {
    return failure(EXIT.notFound, 'file_unreadable', 'The file of the VP cannot be read.', {
      expected: 'a markdown file with front matter',
      found: `${path}: ${text.code ?? text.message}`,
      next: 'workcenter vp new ID writes one to begin with.',
    });
  }
  const vp = parsed(path, text);
  if (isFailure(vp)) return vp;
  return write(shell, input, vp.id, text);
}

async function make(shell: Shell, input: Input): Promise<Outcome> {
  const { newVpText } = await vps();
  const draft = draftOf(input.args[1] ?? '', {
    name: textOption(input, 'name'),
    role: textOption(input, 'role'),
    capabilities: listOption(input, 'capability'),
    model: textOption(input, 'model'),
    command: textOption(input, 'command'),
  });
  return write(shell, input, draft.id, newVpText(draft));
}

const VERBS: Readonly<Record<string, (shell: Shell, input: Input) => Promise<Outcome>>> = { ls, show, add, new: make };

export const vp: CommandModule = {
  define: (parser) =>
    void parser
      .argument('[verb]', 'ls (default), show, add or new')
      .argument('[id]', 'VP id for show and new, file for add')
      .option('--repo <dir>', 'project directory; this one by default')
      .option('--user', 'add or new: for all your projects instead of this one')
      .option('--name <words>', 'new: what it is called')
      .option('--role <words>', 'new: what it is for, in one line')
      .option('--capability <tag>', 'new: what it is good at, such as review; may be repeated', collect)
      .option('--model <model>', 'new: fast, balanced, ultimate or provider/model')
      .option('--command <command>', 'new: carried out by this command instead of the built-in agent'),
  examples: [
    'workcenter vp',
    'workcenter vp show reviewer',
    'workcenter vp new db-expert --role "Designs and reviews schemas" --capability database --model ultimate',
    'workcenter vp add ../shared/release-manager.md --user',
  ],
  userOnly: false,
  run: async (shell, input) => {
    const [verb = 'ls'] = input.args;
    const act = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
    if (!act || (verb !== 'ls' && input.args[1] === undefined)) {
      return failure(EXIT.invalid, 'usage', 'VPs are listed, shown, added and made.', {
        expected: 'ls, show ID, add FILE or new ID',
        found: input.args.join(' '),
      });
    }
    const { WORKCENTER_RUN: runId } = shell.env;
    if (runId !== undefined && (verb === 'add' || verb === 'new')) return refusedInRun('Writing a VP', runId);
    return act(shell, input);
  },
};
