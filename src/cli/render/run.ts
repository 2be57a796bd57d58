import type { AgentManifest } from '../../core/model/action.ts';
import type { RunRow } from '../../store/rows.ts';
import type { CallRow } from '../../store/talk-rows.ts';
import { shareMoney } from './cost.ts';
import { count, money } from './money.ts';
import { tailLines } from './tail.ts';
import { indent, oneLine, shorten, wrapText } from './text.ts';
import type { View } from './view.ts';
import { ago, duration } from './when.ts';
import { plural, shortCommit } from './words.ts';

type Fact = readonly [name: string, value: string];

const factLines = (facts: readonly Fact[], { paint, columns }: View): readonly string[] =>
  facts.map(([name, value]) => `  ${paint.dim(name.padEnd(10))} ${shorten(oneLine(value), columns - 14)}`);

/** What ran, as it was recorded before it began: hashes name content that is kept. */
const manifestFacts = (agent: AgentManifest): readonly Fact[] => [
  ['VP', `${agent.vp} (${agent.vpHash.slice(0, 12)})`],
  ['model', `${agent.model}${agent.effort === undefined ? '' : `, effort ${agent.effort}`}`],
  ['tools', agent.tools.join(', ') || 'none'],
  ['told', `system ${agent.systemHash.slice(0, 12)}, context ${agent.contextHash.slice(0, 12)}`],
  ['rules', agent.policyHash.slice(0, 12)],
  ['contract', `version ${agent.contractVersion}`],
  ...(agent.omitted.length === 0 ? [] : [['left out', agent.omitted.join(', ')] as const]),
];

function factsOf(run: RunRow, { now }: View): readonly Fact[] {
  const took = run.endedAt === null ? `since ${ago(run.startedAt, now)}` : duration(run.endedAt - run.startedAt);
  return [
    ['status', `${run.status}${run.code === null ? '' : ` (${run.code})`}, ${took}`],
    ['generation', String(run.generation)],
    ...(run.base === null ? [] : [['from', shortCommit(run.base)] as const]),
    ...(run.commit === null ? [] : [['made', shortCommit(run.commit)] as const]),
    ...(run.enforcement === null ? [] : [['sandbox', run.enforcement.reason ?? run.enforcement.sandbox] as const]),
    ...(run.usage === null ? [] : [['cost', costOf(run.usage)] as const]),
    ...(run.agent === null ? [] : manifestFacts(run.agent)),
  ];
}

const costOf = (usage: NonNullable<RunRow['usage']>): string => {
  const rest = usage.metered ? '' : ', unmetered';
  return `${shareMoney(usage)}, ${plural(usage.requests, 'request')}, ${count(usage.tokens)} tokens${rest}`;
};

function callLine(call: CallRow, { paint }: View): string {
  const cost =
    call.chargedTokens === null ? '' : call.chargedCostMicros === null ? 'unpriced' : money(call.chargedCostMicros);
  const tokens = call.input === null ? '' : `${count(call.input)} in, ${count(call.output ?? 0)} out`;
  const why = call.error === null ? '' : oneLine(`${call.code ?? ''} ${call.error}`);
  return [`#${call.n}`, call.status, tokens, cost, paint.dim(why)].filter((part) => part !== '').join('  ');
}

/** One Run: how it went, what ran, each model request, and its own words. */
export function runText(run: RunRow, calls: readonly CallRow[], view: View): string {
  const { paint, columns } = view;
  const requests = [...calls].reverse().map((call) => shorten(callLine(call, view), columns - 2));
  return [
    `${paint.bold(`${run.actionId} #${run.ordinal}`)}  ${paint.dim(run.runId)}`,
    ...factLines(factsOf(run, view), view),
    ...(requests.length === 0 ? [] : ['', paint.bold('Model requests'), ...indent(requests)]),
    ...(run.summary.trim() === ''
      ? []
      : ['', paint.bold('In its own words'), ...indent(wrapText(run.summary, columns - 2))]),
    ...(run.error === null ? [] : ['', paint.bold('Error'), ...indent(tailLines(run.error, columns - 2, 20))]),
  ].join('\n');
}
