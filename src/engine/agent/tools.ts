import { join } from 'node:path';
import type { ActionState } from '../../core/index.ts';
import type { ToolPlace } from '../../executors/agent/agent-setup.ts';
import { type AgentTool, asTool } from '../../executors/agent/tool.ts';
import { askHumanTool } from '../../executors/agent/tools/control/ask-human.ts';
import { createVpTool } from '../../executors/agent/tools/control/create-vp.ts';
import { submitOutcomeTool } from '../../executors/agent/tools/control/submit-outcome.ts';
import { fileTools } from '../../executors/agent/tools/files/index.ts';
import { loadMcpTools } from '../../executors/agent/tools/outside/mcp/load-mcp-tools.ts';
import { shellTool } from '../../executors/agent/tools/outside/shell/shell-tool.ts';
import { skillTool } from '../../executors/agent/tools/outside/skill/skill-tool.ts';
import { webFetchTool } from '../../executors/agent/tools/outside/web/web-fetch-tool.ts';
import type { Vp } from '../../vp/index.ts';
import { type Configuration, permissionsOf } from '../configuration.ts';
import { liveOutput } from '../live/live-sources.ts';
import type { Live } from '../run/carried.ts';
import type { World } from '../world.ts';
import { mayFetchAny, ruledUrl } from './ruled-url.ts';

export interface OfferedTools {
  readonly tools: readonly AgentTool[];
  /** What was not offered, and why: MCP servers that are untrusted or did not start. */
  readonly notes: readonly string[];
  close(): Promise<void>;
}

interface Asked {
  readonly world: World;
  readonly live: Live;
  readonly action: ActionState;
  readonly vp: Vp;
  readonly place: ToolPlace;
  readonly configuration: Configuration;
  /** Ids of all VPs: what `create_vp` may not write again. */
  readonly vpIds: readonly string[];
}

/** Tools that only writing modes have (T6); the rest is decided per call, by capability and permissions. */
const WRITING: ReadonlySet<string> = new Set(['write', 'edit', 'apply_patch', 'create_vp']);
const ALWAYS: ReadonlySet<string> = new Set(['submit_outcome', 'ask_human']);

/** Exactly what is offered to the model: what the mode allows, what the VP may use, what has started (T5, T6). */
export async function offerTools(asked: Asked): Promise<OfferedTools> {
  const { live, action, vp, place } = asked;
  const policy = permissionsOf(asked.configuration);
  const runTag = `${live.run.id}:${live.run.epoch}`;
  const mcp = await mcpTools(asked, runTag);
  const { readable, writable } = action.spec.sandbox;
  const webFetch = asTool(webFetchTool({ ruled: (url) => ruledUrl(policy, place, url) }));
  const output = liveOutput(asked.world, live.state.id, live.run);
  const all = [
    ...fileTools,
    asTool(shellTool({ runTag, readable, writable, onOutput: output.write })),
    ...(mayFetchAny(policy, place.network) ? [webFetch] : []),
    asTool(skillTool),
    ...(action.spec.type === 'create_vp' ? [createVpTool(asked.vpIds)] : []),
    ...mcp.tools,
    askHumanTool,
    submitOutcomeTool,
  ];
  const tools = all.filter(({ name }) => mayUse(name, action, vp));
  return { tools, notes: mcp.notes, close: mcp.close };
}

function mayUse(name: string, { spec }: ActionState, { tools }: Vp): boolean {
  if (ALWAYS.has(name)) return true;
  if (spec.workspace === 'read' && WRITING.has(name)) return false;
  if (tools === undefined || name === 'create_vp') return true;
  return tools.some((allowed) => allowed === name || (allowed === 'mcp' && name.startsWith('mcp__')));
}

async function mcpTools({ world, live, place, configuration }: Asked, runTag: string): Promise<OfferedTools> {
  const sources = {
    projectDirectory: live.state.contract.directory,
    userFile: join(world.userConfigDir, 'mcp.json'),
    trusted: new Set(configuration.trustedMcp ?? []),
  };
  const { tools, notes, close } = await loadMcpTools(sources, { ...place, signal: live.signal }, { runTag });
  return { tools, close, notes: notes.filter(({ state }) => state !== 'started').map(({ message }) => message) };
}
