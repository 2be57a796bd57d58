import type { VpRegistry } from '../../vp/registry.ts';
import type { Vp, VpExecutor } from '../../vp/vp.ts';
import { formatVpProblem } from '../../vp/vp-problem.ts';
import type { Paint } from './paint.ts';
import { table } from './table.ts';
import { clean, oneLine } from './text.ts';

interface Look {
  readonly columns: number;
  readonly paint: Paint;
}

const executorWord = (executor: VpExecutor): string => {
  if (executor.kind === 'agent') return 'agent';
  return oneLine(typeof executor.run === 'string' ? executor.run : executor.run.join(' '));
};

const modelWord = ({ model }: Vp): string => {
  if (!model) return 'by type';
  return 'ref' in model ? model.ref : model.tag;
};

const COLUMNS = [
  { title: 'vp', max: 24 },
  { title: 'role', grow: true, min: 16 },
  { title: 'model', max: 24 },
  { title: 'by', max: 16 },
  { title: 'from' },
];

/** One line for each VP that can be assigned. */
export const vpList = (vps: readonly Vp[], { columns, paint }: Look): readonly string[] =>
  table(
    COLUMNS,
    vps.map((vp) => [
      { text: vp.id },
      { text: oneLine(vp.role) },
      { text: modelWord(vp), paint: paint.dim },
      { text: executorWord(vp.executor), paint: paint.dim },
      { text: vp.source.kind, paint: paint.dim },
    ]),
    columns,
    paint.dim,
  );

/** What a person should know of files that are broken, used in part, or hidden by a nearer one. */
export function findingLines({ findings, shadowed }: VpRegistry, { paint }: Look): readonly string[] {
  const told = findings.flatMap(({ kind, problems }) =>
    problems.map(
      (problem) => `${kind === 'broken' ? paint.red('✕') : paint.amber('!')} ${oneLine(formatVpProblem(problem))}`,
    ),
  );
  const hidden = shadowed.map(({ id, source }) => paint.dim(`  ${id} (${source.kind}) is hidden by a nearer one`));
  return told.length + hidden.length === 0 ? [] : ['', ...told, ...hidden];
}

/** The whole of a VP, with where it comes from. */
export function vpText(vp: Vp, { paint }: Look): string {
  const facts: readonly (readonly [string, string])[] = [
    ['name', vp.name],
    ['role', vp.role],
    ['good at', vp.capabilities.join(', ') || '–'],
    ['model', `${modelWord(vp)}${vp.effort ? `, effort ${vp.effort}` : ''}`],
    ['by', executorWord(vp.executor)],
    ['tools', vp.tools?.join(', ') ?? 'all that its Action’s mode allows'],
    ['from', vp.source.path ?? vp.source.kind],
  ];
  const lines = facts.map(([name, value]) => `  ${paint.dim(name.padEnd(8))} ${oneLine(value)}`);
  const persona = vp.persona.trim() === '' ? [] : ['', ...clean(vp.persona.trim()).split('\n')];
  return [paint.bold(vp.id), ...lines, ...persona].join('\n');
}
