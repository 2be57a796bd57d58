import { fileURLToPath } from 'node:url';
import type { ScriptedModel } from '../../model/scripted/start-scripted-model.ts';
import { bad, type Failure, failure } from '../answer.ts';
import { EXIT } from '../exit-codes.ts';

export type WireProtocol = 'openai' | 'anthropic';

/** Which model thinks. Both are reached in the same way, over HTTP; they differ in address and key. */
export type DemoModel =
  | Readonly<{ kind: 'scripted'; ref: string; protocol: WireProtocol; priced: true }>
  | Readonly<{ kind: 'real'; ref: string; priced: boolean }>;

export interface ModelWish {
  /** The script, whatever keys there are. */
  readonly scripted?: boolean;
  /** `provider/model`, or a tag. */
  readonly model?: string;
  /** What the script is asked in; wishing for one means the script. */
  readonly protocol?: WireProtocol;
}

type Environment = Readonly<Record<string, string>>;

const KEYS = Object.freeze(['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'OPENROUTER_API_KEY']);

const hasKey = (env: Environment): boolean => KEYS.some((name) => (env[name] ?? '').trim() !== '');

/** What the model says in the demo: a scenario that anybody may copy and change. */
export const SCENARIO = fileURLToPath(new URL('../../../examples/scripted/two-bugs.yaml', import.meta.url));

const SCRIPTED_REF = 'scripted/two-bugs';

/** The model that was named, else that of the first key in the environment, else the script. Calls nobody. */
export async function demoModel(wish: ModelWish, env: Environment): Promise<DemoModel | Failure> {
  const wantsScript = wish.scripted === true || wish.protocol !== undefined;
  if (wantsScript && wish.model !== undefined)
    return bad('The model cannot be both named and scripted.', '--model, or --scripted and --protocol', wish.model);
  if (wantsScript || (wish.model === undefined && !hasKey(env)))
    return { kind: 'scripted', ref: SCRIPTED_REF, protocol: wish.protocol ?? 'openai', priced: true };
  return realModel(wish.model ?? 'balanced', env);
}

async function realModel(wanted: string, env: Environment): Promise<DemoModel | Failure> {
  const { isModelTag, priceOf, resolveModel } = await import('../../model/index.ts');
  const found = resolveModel(isModelTag(wanted) ? { tag: wanted } : { ref: wanted }, {}, env);
  if (found.kind === 'model') return { kind: 'real', ref: found.ref, priced: priceOf(found.ref) !== undefined };
  const { code, expected, next } = found;
  return failure(EXIT.invalid, code, 'The demo cannot use that model.', { expected, found: found.found, next });
}

/** The settings by which the Coordinator and everybody else use this one model. */
export const settingsFor = ({ ref }: DemoModel): Readonly<Record<string, unknown>> => ({
  models: { coordinator: ref, tags: { fast: ref, balanced: ref, ultimate: ref } },
});

/** A model that can be asked: what the environment needs for it, and how to end it. */
export interface ReadyModel {
  readonly env: Environment;
  close(): Promise<void>;
}

/** Starts the script's server on loopback; a real model is there already. */
export async function readyModel(model: DemoModel): Promise<ReadyModel> {
  if (model.kind === 'real') return { env: {}, close: async () => undefined };
  const { startScriptedModel } = await import('../../model/scripted/start-scripted-model.ts');
  const server: ScriptedModel = await startScriptedModel(SCENARIO);
  const url = model.protocol === 'openai' ? server.openaiUrl : server.anthropicUrl;
  return { env: { WORKCENTER_SCRIPTED_URL: url, WORKCENTER_SCRIPTED_PROTOCOL: model.protocol }, close: server.close };
}
