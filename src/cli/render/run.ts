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
  facts.flatMap(([name, value]) => {
    const [first = '', ...more] = wrapText(oneLine(value), columns - 14);
    return [`  ${paint.dim(name.padEnd(10))} ${first}`, ...indent(more, ' '.repeat(13))];
  });

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

function factsOf(run: RunRow, calls: readonly CallRow[], { now }: View): readonly Fact[] {
  const took = run.endedAt === null ? `since ${ago(run.startedAt, now)}` : duration(run.endedAt - run.startedAt);
  return [
    ['status', `${run.status}${run.code === null ? '' : ` (${run.code})`}, ${took}`],
    ['generation', String(run.generation)],
    ...(run.base === null ? [] : [['from', shortCommit(run.base)] as const]),
    ...(run.commit === null ? [] : [['made', shortCommit(run.commit)] as const]),
    ...(run.enforcement === null ? [] : [['sandbox', run.enforcement.reason ?? run.enforcement.sandbox] as const]),
    ...costFacts(run, calls),
    ...(run.agent === null ? [] : manifestFacts(run.agent)),
  ];
}

/** What its requests were charged; an executor that asks elsewhere reports its use, if at all, when it ends. */
function costFacts({ usage }: RunRow, calls: readonly CallRow[]): readonly Fact[] {
  const charged = calls.filter(({ chargedTokens }) => chargedTokens !== null);
  const own = { costMicros: 0, unpriced: 0, requests: charged.length, tokens: 0 };
  for (const { chargedTokens, chargedCostMicros } of charged) {
    own.tokens += chargedTokens ?? 0;
    own.costMicros += chargedCostMicros ?? 0;
    own.unpriced += chargedCostMicros === null ? 1 : 0;
  }
  const { costMicros, unpriced, requests, tokens } = charged.length > 0 ? own : (usage ?? own);
  if (requests === 0) return usage?.metered === false ? [['cost', 'unmetered']] : [];
  const sum = shareMoney({ costMicros, unpriced, requests });
  return [['cost', `${sum}, ${plural(requests, 'request')}, ${count(tokens)} tokens`]];
}

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
    ...factLines(factsOf(run, calls, view), view),
    ...(requests.length === 0 ? [] : ['', paint.bold('Model requests'), ...indent(requests)]),
    ...(run.summary.trim() === ''
      ? []
      : ['', paint.bold('In its own words'), ...indent(wrapText(run.summary, columns - 2))]),
    ...(run.error === null ? [] : ['', paint.bold('Error'), ...indent(tailLines(run.error, columns - 2, 20))]),
  ].join('\n');
}
