import type { ModelCatalogue } from '../../engine/on-demand/model-catalogue.ts';
import type { ModelFailure } from '../../model/index.ts';
import { formatVpProblem, type Vp, type VpRegistry } from '../../vp/index.ts';

const modelOf = (model: Vp['model']): string | null => {
  if (model === undefined) return null;
  return 'ref' in model ? model.ref : model.tag;
};

/** Enough to find the file by; where homes lie on the machine is nobody's business. */
const endOf = (path: string): string => path.split(/[\\/]/).slice(-3).join('/');

const fileOf = ({ path }: Vp['source']): string | null => (path === undefined ? null : endOf(path));

/** A VP without the variables and the command line of its executor: both may be nobody's business. */
export const vpView = ({ id, name, role, persona, capabilities, traits, model, effort, ...vp }: Vp) => ({
  ...{ id, name, role, persona, capabilities: [...capabilities], traits: [...(traits ?? [])], hash: vp.hash },
  ...{ model: modelOf(model), effort: effort ?? null, executor: vp.executor.kind, source: vp.source.kind },
  tools: vp.tools ? [...vp.tools] : null,
  file: fileOf(vp.source),
});

export const vpsView = ({ vps, shadowed, findings }: VpRegistry) => ({
  vps: vps.map(vpView),
  hidden: shadowed.map(({ id, source }) => ({ id, source: source.kind, file: fileOf(source) })),
  problems: findings.flatMap(({ problems }) =>
    problems.map((found) => formatVpProblem({ ...found, file: endOf(found.file) })),
  ),
});

const missing = ({ code, expected, found, next }: ModelFailure) => ({ code, expected, found, next });

const choice = (found: { readonly kind: 'model'; readonly ref: string } | ModelFailure) =>
  found.kind === 'model' ? { model: found.ref, problem: null } : { model: null, problem: missing(found) };

/** Without addresses: a base URL may hold what is nobody's business. */
export const modelsView = ({ coordinator, providers, tags, prices }: ModelCatalogue) => ({
  coordinator: { ...choice(coordinator), priced: coordinator.kind === 'model' && coordinator.priced },
  providers: providers.map(({ name, protocol, keyEnv, keyPresent, problem }) => ({
    ...{ name, protocol, keyEnv, keyPresent },
    problem: problem && missing(problem),
  })),
  tags: tags.map(({ tag, model }) => ({ tag, ...choice(model) })),
  prices: {
    asOf: prices.asOf,
    entries: prices.entries.map(({ model, from, price: { input, output, cacheRead, cacheWrite } }) => ({
      ...{ model, from, input, output, cacheRead: cacheRead ?? null, cacheWrite: cacheWrite ?? null },
    })),
  },
});
