import { join } from 'node:path';
import { isModelTag } from '../model/model-ref.ts';
import type { VpDraft } from '../vp/new-vp-text.ts';
import type { ModelHint, Vp } from '../vp/vp.ts';
import type { VpDestination } from '../vp/write-vp.ts';

/** What was said of a new VP; the rest is a beginning to edit. */
export interface VpWords {
  readonly name: string | undefined;
  readonly role: string | undefined;
  readonly capabilities: readonly string[];
  readonly model: string | undefined;
  readonly command: string | undefined;
}

const PERSONA =
  'Say here, in your own words, how this VP works: what it looks at first, what it never does, how it reports.';

const hintOf = (model: string): ModelHint => (isModelTag(model) ? { tag: model } : { ref: model });

/** `db-expert` as a name: `Db expert`. */
const nameOf = (id: string): string => {
  const words = id.replaceAll(/[-_]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** A VP with what was said, and something that can be edited where nothing was. */
export function draftOf(id: string, { name, role, capabilities, model, command }: VpWords): VpDraft {
  return {
    id,
    name: name ?? nameOf(id),
    role: role ?? `Works as ${nameOf(id)}`,
    persona: PERSONA,
    capabilities: capabilities.length > 0 ? capabilities : ['custom'],
    ...(model === undefined ? {} : { model: hintOf(model) }),
    executor: command === undefined ? { kind: 'agent' } : { kind: 'command', run: command },
  };
}

/** The folder of the project, or that of the person. Ids that are built in may be replaced; others are taken. */
export function destinationOf(
  user: boolean,
  places: { readonly project: string; readonly user: string },
  known: readonly Vp[],
): VpDestination {
  const kind = user ? 'user' : 'project';
  const taken = known.filter(({ source }) => source.kind === kind).map(({ id }) => id);
  const folder = user ? join(places.user, 'vps') : join(places.project, '.workcenter', 'vps');
  return { kind, folder, within: user ? places.user : places.project, taken };
}
