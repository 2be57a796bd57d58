import type { Criterion } from '../../core/model/contract.ts';
import type { Receipt } from '../../core/model/outcome.ts';
import { redact } from '../../text/redact.ts';
import { enforcedSentence } from '../confinement.ts';
import type { Job } from '../executor.ts';
import { earlierText } from './earlier-results.ts';

const TAIL_CHARS = 1_500;

/** Everything a command is told, as markdown; the same text is its standard input. Redacted. Pure. */
export function commandBrief(job: Job): string {
  const sections = [
    `# ${job.spec.name}`,
    section('Goal of the whole', job.contract.goal),
    section('Instructions', job.contract.instructions),
    section('What to do', job.spec.brief.objective),
    section('Approach', job.spec.brief.approach),
    section('Expected outcome', job.spec.brief.expectedOutcome),
    section('Criteria this is for', criteriaText(job)),
    section('Results this builds on', earlierText(job.earlier ?? [], fenced)),
    section('Guidance', job.guidance.map((line) => `- ${indented(line)}`).join('\n')),
    section('The attempt before', previousText(job)),
    section('Where', placeText(job)),
    section('How to report', reportText(job)),
  ];
  return `${redact(sections.filter((text) => text !== '').join('\n\n'), job.confinement.secrets)}\n`;
}

function section(title: string, text: string | undefined): string {
  return text === undefined || text.trim() === '' ? '' : `## ${title}\n\n${text.trim()}`;
}

function criteriaText(job: Job): string {
  const criteria = job.contract.criteria.filter((criterion) => job.spec.for.includes(criterion.id));
  return criteria.map(criterionText).join('\n');
}

function criterionText({ id, text, check }: Criterion): string {
  const lines = [`- **${id}** ${indented(text)}`];
  if (check === undefined) return lines[0] ?? '';
  const where = check.cwd === undefined ? '' : ` in \`${check.cwd}\``;
  const output = check.expectOutput === undefined ? '' : ` and output that matches \`${check.expectOutput}\``;
  lines.push(
    `  - decided by the engine, which runs \`${indented(check.run)}\`${where} in a clean checkout of the result` +
      ` and expects exit code ${check.expectExit}${output}`,
  );
  if (check.protect.length > 0)
    lines.push(`  - put back before that check: ${check.protect.map((glob) => `\`${glob}\``).join(', ')}`);
  return lines.join('\n');
}

function previousText(job: Job): string {
  const { lastRun } = job;
  if (lastRun === undefined) return '';
  const code = lastRun.code === undefined ? '' : ` (${lastRun.code})`;
  const said = [lastRun.error, lastRun.summary].filter((text) => text !== undefined && text !== '');
  const receipts = lastRun.receipts.filter((receipt) => receipt.verdict !== 'passed').map(receiptText);
  return [
    `Attempt ${lastRun.ordinal} ended ${lastRun.status}${code}. What follows is what it left; look before relying on it.`,
    ...said.map((text) => fenced(text ?? '')),
    ...receipts,
  ].join('\n\n');
}

function receiptText(receipt: Receipt): string {
  const head = `The check of ${receipt.criterionId} (\`${receipt.command}\`): ${receipt.verdict}, exit code ${receipt.exitCode ?? 'none'}.`;
  return receipt.log.tail.trim() === '' ? head : `${head}\n\n${fenced(receipt.log.tail.slice(-TAIL_CHARS))}`;
}

function placeText(job: Job): string {
  const { spec, confinement } = job;
  const mode = spec.workspace === 'read' ? 'read' : 'write';
  const silence = spec.silenceSec > 0 ? `, or after ${spec.silenceSec} seconds without output` : '';
  return [
    `- Project directory: \`${job.projectPath}\` (workspace mode: ${spec.workspace})`,
    `- Attempt ${job.attempt} of ${spec.maxAttempts}; ended after ${job.timeLimitSec} seconds${silence}`,
    `- ${enforcedSentence(confinement.enforcement, { mode, network: spec.sandbox.network })}`,
    '- Nobody answers questions while this runs.',
  ].join('\n');
}

function reportText(job: Job): string {
  const example = {
    outcome: 'completed',
    summary: 'what was done',
    evidence: [{ kind: 'text', label: 'how it shows' }],
    claims: job.spec.for.map((criterion) => ({ criterion, status: 'passed', evidence: 'how it shows' })),
    outputs: [{ kind: 'file', ref: 'path/in/project' }],
    ...(job.spec.type === 'review' ? { review: 'approved' } : {}),
  };
  return [
    'Exit code 0 means completed; 78 means failed and not worth another attempt; any other means: try again.',
    'To say more, write one JSON object to the file named by the variable `WORKCENTER_OUTCOME`:',
    fenced(JSON.stringify(example, null, 2)),
    'Instead of `completed`: `{"outcome":"waiting","question":"…"}`, `{"outcome":"retryable","error":"…"}` or `{"outcome":"failed","error":"…"}`.',
  ].join('\n\n');
}

/** A fence that the text itself cannot close. */
function fenced(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map((match) => match[0].length));
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return `${fence}\n${text.trimEnd()}\n${fence}`;
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n  ');
}
