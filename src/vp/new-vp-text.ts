import { stringify } from 'yaml';
import type { ModelHint, Vp, VpExecutor } from './vp.ts';

/** What makes a VP, without where it came from. */
export type VpDraft = Omit<Vp, 'source' | 'hash'>;

/** The markdown file of a VP: `parseVp` reads the same VP back, if it accepts it at all. */
export function newVpText(draft: VpDraft): string {
  const { id, name, role, capabilities, traits, model, effort, tools, persona } = draft;
  const fields = {
    id,
    name,
    role,
    capabilities,
    ...(traits && { traits }),
    ...(model && { model: modelText(model) }),
    ...(effort && { effort }),
    ...(tools && { tools }),
    ...(draft.executor.kind === 'command' && { executor: commandFields(draft.executor) }),
  };
  // Never folded: a folded line could look like the fence.
  const head = stringify(fields, { lineWidth: 0, aliasDuplicateObjects: false });
  return `---\n${head}---\n\n${persona}\n`;
}

const modelText = (model: ModelHint): string => ('ref' in model ? model.ref : model.tag);

function commandFields({ run, env }: Extract<VpExecutor, { kind: 'command' }>): object {
  return { run, ...(env && { env }) };
}
