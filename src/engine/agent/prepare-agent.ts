import { join } from 'node:path';
import { type Mainline, renderMainline } from '../../context/mainline.ts';
import { mainlineInputOf } from '../../context/mainline-input-of.ts';
import { readProjectGuidance } from '../../context/project-guidance.ts';
import { agentSystemPrompt } from '../../context/prompts/system-prompt.ts';
import type { ActionState, AgentManifest, ItemState } from '../../core/index.ts';
import { attemptCap } from '../../core/index.ts';
import type { AgentRun } from '../../executors/agent/agent-executor.ts';
import type { AgentSetup, ToolPlace } from '../../executors/agent/agent-setup.ts';
import { READ_OUTPUT } from '../../executors/agent/tools/control/read-output.ts';
import { enforcedSentence } from '../../executors/confinement.ts';
import { resolveModel } from '../../model/index.ts';
import { redact } from '../../text/redact.ts';
import { findVp, type Vp } from '../../vp/index.ts';
import { type Configuration, modelSettings, permissionsOf, readConfiguration } from '../configuration.ts';
import type { Live } from '../run/carried.ts';
import { confinementOf, secretsOf } from '../run/confinement.ts';
import { ioOf } from '../run/start-executor.ts';
import type { Workplace } from '../run/workplace.ts';
import type { World } from '../world.ts';
import { attachmentParts, layOutAttachments } from './attachments.ts';
import { memoryOf } from './memory.ts';
import { type Model, modelFor } from './model-for.ts';
import { agentPorts } from './ports.ts';
import { type OfferedTools, offerTools } from './tools.ts';
import { registryFor } from './vps.ts';

/** An agent that is ready to start, with what is recorded of it; or why this Action cannot be carried out like this. */
export type PreparedAgent =
  | Readonly<{ kind: 'prepared'; run: AgentRun; manifest: AgentManifest }>
  | Readonly<{ kind: 'refused'; code: string; error: string }>;

const MAX_OUTPUT_TOKENS = 16_384;
/** Most models take 200,000 tokens; what is estimated too low must still fit. */
const CONTEXT_TOKENS = 120_000;

const refused = (code: string, error: string): PreparedAgent => ({ kind: 'refused', code, error });

/**
 * Everything that one Run of the agent is made of, before it is dispatched: who, which model, which tools under which
 * rules, and the whole of what it is told (chapter 3 §4.1). No silent fallback: what cannot be resolved is a fact for
 * the decider.
 */
export async function prepareAgent(
  world: World,
  live: Live,
  action: ActionState,
  workplace: Workplace,
): Promise<PreparedAgent> {
  const { executor } = action.spec;
  if (executor.kind !== 'agent') throw new Error(`action ${action.id} is for ${executor.kind}, not for an agent`);
  const configuration = readConfiguration((await world.store.readSettings()).value);
  const registry = await registryFor(world, live.state.contract.directory);
  const vp = findVp(registry, executor.vp);
  if (!vp) {
    const ids = registry.vps.map(({ id }) => id).join(', ');
    return refused('assignment_unresolved', `There is no VP ${executor.vp}. There are: ${ids}. Assign another one.`);
  }
  const model = modelFor(executor.model, vp, action.spec.type, configuration);
  const resolved = resolveModel(model.policy, modelSettings(configuration), world.env);
  if (resolved.kind === 'failed') {
    const { code, expected, found, next } = resolved;
    return refused(code, `No model for ${vp.id}: expected ${expected}, found ${found}. ${next}`);
  }
  const given = { world, live, action, workplace, configuration, vp, model, ref: resolved.ref };
  return assemble(
    given,
    registry.vps.map(({ id }) => id),
  );
}

interface Given {
  readonly world: World;
  readonly live: Live;
  readonly action: ActionState;
  readonly workplace: Workplace;
  readonly configuration: Configuration;
  readonly vp: Vp;
  readonly model: Model;
  readonly ref: string;
}

async function assemble(given: Given, vpIds: readonly string[]): Promise<PreparedAgent> {
  const { world, live, action, configuration, vp, model, ref } = given;
  const secrets = secretsOf(world, action.spec);
  const clean = (text: string): string => redact(text, secrets);
  const place = await placeOf(given, clean);
  const offered = await offerTools({ world, live, action, vp, place, configuration, vpIds });
  const mainline = await mainlineOf(given, secrets);
  const names = namesOf(offered);
  const system = agentSystemPrompt({ vp, tools: names, mode: action.spec.workspace });
  const setup: AgentSetup = {
    model: ref,
    ...(model.effort === undefined ? {} : { effort: model.effort }),
    system,
    task: [{ kind: 'text', text: mainline.text }, ...(await attachmentParts(world, live.state.attachments))],
    messages: action.messages.length,
    tools: offered.tools,
    policy: permissionsOf(configuration),
    // Nobody is known to be there; what then becomes of asking is for the settings to say (`unattended`).
    attended: false,
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    contextTokens: CONTEXT_TOKENS,
  };
  const manifest = await manifestOf(given, setup, mainline, offered);
  const ports = agentPorts(world, live, secrets);
  return { kind: 'prepared', run: { setup, place, ports, secrets, close: offered.close }, manifest };
}

/** What the model has: what is offered, and the pages of what was cut of it (T5). */
const namesOf = ({ tools }: OfferedTools): readonly string[] => [...tools.map(({ name }) => name), READ_OUTPUT];

async function placeOf({ world, live, action, workplace }: Given, clean: (text: string) => string): Promise<ToolPlace> {
  const { state, run } = live;
  const runDir = world.home.run(run.id);
  const io = ioOf(world, live);
  const { projectPath } = workplace;
  return {
    mode: action.spec.workspace,
    workspacePath: workplace.path,
    projectPath,
    runDir,
    confinement: confinementOf(world, state, workplace),
    network: action.spec.sandbox.network,
    env: action.spec.env,
    attachments: await layOutAttachments(world, state.attachments, runDir),
    skillRoots: [
      join(projectPath, '.workcenter', 'skills'),
      join(projectPath, '.claude', 'skills'),
      join(world.userConfigDir, 'skills'),
      join(world.userHome, '.claude', 'skills'),
    ],
    putContent: io.putContent,
    redact: clean,
    onSpawned: io.onSpawned,
    now: world.now,
  };
}

async function mainlineOf(given: Given, secrets: readonly string[]): Promise<Mainline> {
  const { world, live, action, workplace, configuration } = given;
  const { state, run } = live;
  const { workspace, sandbox, maxAttempts } = action.spec;
  const mode = workspace === 'read' ? 'read' : 'write';
  const { files } = await readProjectGuidance(workplace.projectPath, workplace.path);
  const { globalInstructions, instructions } = configuration;
  const input = mainlineInputOf(state, action, {
    ...(globalInstructions === undefined ? {} : { globalInstructions }),
    ...(instructions === undefined ? {} : { typeInstructions: instructions }),
    enforced: enforcedSentence(world.enforcement, { mode, network: sandbox.network }),
    attempt: action.attempts + 1,
    maxAttempts: Math.min(maxAttempts, attemptCap(state, action)),
    timeLimitSec: run.timeLimitSec,
    messageCount: action.messages.length,
    projectGuidance: files,
    memory: await memoryOf(world, state),
    redaction: { secrets, roots: rootsOf(state, workplace) },
  });
  return renderMainline(input);
}

const rootsOf = ({ contract }: ItemState, { path }: Workplace): readonly string[] => [contract.directory, path];

/** What ran, for ever: bodies are content, the rest stands in the event (chapter 3 §4.1). */
async function manifestOf(
  { world, live, vp, model, ref }: Given,
  { system, policy }: AgentSetup,
  mainline: Mainline,
  offered: OfferedTools,
): Promise<AgentManifest> {
  const keep = async (text: string): Promise<string> => (await world.store.putContent(text)).hash;
  const [policyHash, systemHash, contextHash] = await Promise.all([
    keep(JSON.stringify(policy)),
    keep(system),
    keep(mainline.text),
  ]);
  return {
    vp: vp.id,
    vpHash: vp.hash,
    model: ref,
    ...(model.effort === undefined ? {} : { effort: model.effort }),
    tools: namesOf(offered),
    policyHash,
    systemHash,
    contextHash,
    omitted: [...mainline.omitted.map(({ what }) => what), ...offered.notes],
    contractVersion: live.state.contractVersion,
  };
}
