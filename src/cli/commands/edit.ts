import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { Contract, Criterion } from '../../core/model/contract.ts';
import type { ItemState } from '../../core/model/item.ts';
import { answer, type Failure, failure, isFailure, type Outcome } from '../answer.ts';
import { type App, command, withItem } from '../app.ts';
import { changed } from '../change.ts';
import type { CommandModule } from '../command.ts';
import { contractText, readContract } from '../contract-file.ts';
import { EXIT } from '../exit-codes.ts';
import { deliveryOf } from '../new-goal/delivery.ts';
import { argument, collect, flagOption, type Input, listOption, textOption } from '../options.ts';
import { diffLines, lineDiff } from '../render/line-diff.ts';
import type { Shell } from '../shell.ts';

/** `c1=words` as its two halves. */
function assignment(text: string, flag: string, contract: Contract): { id: string; value: string } | Failure {
  const at = text.indexOf('=');
  const id = text.slice(0, Math.max(0, at));
  const known = contract.criteria.map((criterion) => criterion.id);
  if (at > 0 && known.includes(id)) return { id, value: text.slice(at + 1) };
  return failure(EXIT.invalid, 'invalid_option', `--${flag} names no criterion.`, {
    expected: `ID=TEXT with an id of: ${known.join(', ')}`,
    found: text,
  });
}

const withCheck = (criterion: Criterion, run: string): Criterion => {
  const { check, ...rest } = criterion;
  if (run.trim() === '') return { ...rest, minProof: 'self' };
  const fresh = { timeoutSec: 600, expectExit: 0, protect: [], network: 'loopback' } as const;
  const minProof = check === undefined ? 'machine' : criterion.minProof;
  return { ...criterion, minProof, check: { ...(check ?? fresh), run } };
};

function editCriteria(
  contract: Contract,
  given: readonly string[],
  flag: string,
  change: (criterion: Criterion, value: string) => Criterion,
): Contract | Failure {
  let edited = contract;
  for (const text of given) {
    const named = assignment(text, flag, contract);
    if (isFailure(named)) return named;
    const criteria = edited.criteria.map((each) => (each.id === named.id ? change(each, named.value) : each));
    edited = { ...edited, criteria };
  }
  return edited;
}

/** The contract with what the flags say; undefined where none was given. */
function byFlags(contract: Contract, input: Input): Contract | Failure | undefined {
  const goal = textOption(input, 'goal');
  const deliver = textOption(input, 'deliver');
  const texts = listOption(input, 'criterion');
  const checks = listOption(input, 'check');
  if (goal === undefined && deliver === undefined && texts.length === 0 && checks.length === 0) return undefined;
  const delivery = deliver === undefined ? contract.delivery : deliveryOf(deliver, contract.delivery.branch);
  if (isFailure(delivery)) return delivery;
  const framed: Contract = { ...contract, goal: goal ?? contract.goal, delivery };
  const worded = editCriteria(framed, texts, 'criterion', (criterion, text) => ({ ...criterion, text }));
  return isFailure(worded) ? worded : editCriteria(worded, checks, 'check', withCheck);
}

/** Opens the person's editor on a text and answers what they saved. */
async function edited(text: string, { env }: Shell): Promise<string | Failure> {
  const editor = env.VISUAL || env.EDITOR;
  if (!editor) {
    return failure(EXIT.invalid, 'no_editor', 'There is no editor to open.', {
      expected: 'VISUAL or EDITOR in the environment',
      next: 'Or change it with --goal, --criterion, --check, --deliver.',
    });
  }
  const directory = await mkdtemp(join(tmpdir(), 'workcenter-edit-'));
  try {
    const path = join(directory, 'contract.yaml');
    await writeFile(path, text, { mode: 0o600 });
    const code = await new Promise<number | null>((resolve) => {
      const child = spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', path], { stdio: 'inherit' });
      child.on('error', () => resolve(null));
      child.on('exit', resolve);
    });
    if (code === 0) return await readFile(path, 'utf8');
    return failure(EXIT.refused, 'editor_failed', 'The editor did not end well; nothing was changed.', {
      found: `exit ${code ?? 'none'}`,
    });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function wanted(state: ItemState, input: Input, shell: Shell): Promise<Contract | Failure> {
  const flagged = byFlags(state.contract, input);
  if (flagged !== undefined) return flagged;
  const text = await edited(contractText(state.contract), shell);
  return typeof text === 'string' ? readContract(text, state.contract) : text;
}

async function confirmed(shell: Shell, input: Input): Promise<true | Failure> {
  if (flagOption(input, 'yes')) return true;
  if (!shell.canAsk) {
    return failure(EXIT.refused, 'confirmation_required', 'A change of the contract has to be confirmed.', {
      expected: '--yes where nobody can be asked',
    });
  }
  const asking = createInterface({ input: process.stdin, output: process.stdout });
  const said = await asking.question('Apply this? [y/N] ').finally(() => asking.close());
  return /^y(es)?$/i.test(said.trim()) || failure(EXIT.refused, 'not_confirmed', 'Nothing was changed.');
}

async function editItem(app: App, state: ItemState, input: Input): Promise<Outcome> {
  const { shell } = app;
  const contract = await wanted(state, input, shell);
  if (isFailure(contract)) return contract;
  const lines = lineDiff(contractText(state.contract), contractText(contract));
  if (lines.every((line) => line.kind === 'same'))
    return answer('Nothing has changed.', { id: state.id, changed: false });
  if (!shell.json) shell.out(diffLines(lines, shell.paint).join('\n'));
  const agreed = await confirmed(shell, input);
  if (isFailure(agreed)) return agreed;
  const body = { type: 'EditContract', contractVersion: state.contractVersion, contract } as const;
  return changed(app, await command(app, state.id, body), `The contract of ${state.id} is changed.`);
}

export const edit: CommandModule = {
  define: (parser) =>
    void parser
      .argument('<id>', 'item id, or the beginning of one')
      .option('--goal <words>', 'another goal')
      .option('--criterion <id=text>', 'other words for a criterion; may be repeated', collect)
      .option('--check <id=command>', 'another check; empty removes it; may be repeated', collect)
      .option('--deliver <target>', 'response, branch, files, pr[:BASE], merge[:BRANCH]')
      .option('--yes', 'apply without asking'),
  examples: ['workcenter edit k3v9', 'workcenter edit k3v9 --check c1="npm test" --yes'],
  userOnly: true,
  remote: () => true,
  run: (shell, input) => withItem(shell, argument(input, 0), (app, state) => editItem(app, state, input)),
};
