import { createHash } from 'node:crypto';
import { readFile, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { canonical } from '../../../../../core/identity.ts';
import type { Network } from '../../../../../core/model/contract.ts';
import { isBeneath } from '../../../../../workspace/sandbox/resolve-policy.ts';

interface Common {
  readonly name: string;
  readonly origin: 'user' | 'project';
  /** Wider or narrower than the Action's; absent: the same. */
  readonly network?: Network;
  /** Its `readOnlyHint`s are believed. Only a person's own file can say so. */
  readonly trustReadOnly: boolean;
}

export interface StdioServer extends Common {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Absolute paths that it sees, or writes to, beyond the workspace. Only a person's own file can open any. */
  readonly readable: readonly string[];
  readonly writable: readonly string[];
}

export interface HttpServer extends Common {
  readonly kind: 'http';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export type McpServer = StdioServer | HttpServer;

/** What became of a file or a server, for the person and the model. */
export interface McpNote {
  readonly state: 'started' | 'untrusted' | 'unusable' | 'replaced' | 'failed' | 'skipped';
  /** A file or a server. */
  readonly name: string;
  readonly message: string;
  /** With `untrusted`: what to add to the trusted hashes once the person has approved the file. */
  readonly hash?: string;
}

export interface McpSources {
  /** Where configuration of the project is looked for. */
  readonly workspacePath: string;
  /** The person's directory that the item is about: trust is given per directory, whatever clone is looked at. */
  readonly projectDirectory: string;
  /** The person's own file, absolute. */
  readonly userFile?: string;
  /** Hashes (`mcpConfigHash`) of project files that a person approved. */
  readonly trusted: ReadonlySet<string>;
  /** For `${NAME}` and `${NAME:-default}` in values. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const PROJECT_FILES = ['.mcp.json', '.workcenter/mcp.json'];
const MAX_FILE_BYTES = 1024 * 1024;
const MAX_SERVERS = 20;

const texts = z.record(z.string(), z.string());
const common = {
  network: z.enum(['none', 'loopback', 'all']).optional(),
  trustReadOnly: z.boolean().default(false),
  disabled: z.boolean().default(false),
};
const stdio = z.object({
  type: z.literal('stdio').optional(),
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  env: texts.default({}),
  readable: z.array(z.string()).default([]),
  writable: z.array(z.string()).default([]),
  ...common,
});
const http = z.object({
  type: z.enum(['http', 'streamable-http']).optional(),
  url: z.string().min(1),
  headers: texts.default({}),
  ...common,
});
const fileSchema = z.object({ mcpServers: z.record(z.string().regex(/^\w[\w.-]{0,63}$/), z.unknown()).default({}) });

/** The hash that trust in a project file is given to: its very text, in this directory. */
export function mcpConfigHash(projectDirectory: string, text: string): string {
  return createHash('sha256')
    .update(canonical([projectDirectory, text]))
    .digest('hex');
}

/**
 * The servers that may be started. A project's file can name any program, so an unapproved one is only told about.
 * Of two servers with one name the later file's is taken: the person's, `.mcp.json`, `.workcenter/mcp.json`.
 */
export async function readMcpConfig(sources: McpSources): Promise<{ servers: McpServer[]; notes: McpNote[] }> {
  const servers = new Map<string, McpServer>();
  const notes: McpNote[] = [];
  const take = (text: string, file: string, origin: 'user' | 'project') => {
    const read = parseFile(text, file, origin, sources.environment);
    notes.push(...read.notes);
    for (const server of read.servers) {
      if (servers.has(server.name)) notes.push(replaced(server.name, file));
      servers.set(server.name, server);
    }
  };
  const own = sources.userFile === undefined ? null : await readConfigFile(sources.userFile, null);
  if (own !== null) take(own, 'your MCP file', 'user');
  for (const file of PROJECT_FILES) {
    const text = await readConfigFile(join(sources.workspacePath, file), sources.workspacePath);
    if (text === null) continue;
    const hash = mcpConfigHash(sources.projectDirectory, text);
    if (sources.trusted.has(hash)) take(text, file, 'project');
    else notes.push(untrusted(file, hash));
  }
  return { servers: [...servers.values()].slice(0, MAX_SERVERS), notes };
}

function untrusted(name: string, hash: string): McpNote {
  const trust = `workcenter settings set trustedMcp '["${hash}"]', beside those that you trust already`;
  const message = `${name} of the project names programs to start; nobody approved it as it is now, so none was started. Once you have read it: ${trust}.`;
  return { state: 'untrusted', name, hash, message };
}

function replaced(name: string, file: string): McpNote {
  return { state: 'replaced', name, message: `${file} takes the place of another server of this name.` };
}

/** Null where there is no such file. Inside `root`, links may not lead out of it. */
async function readConfigFile(path: string, root: string | null): Promise<string | null> {
  const real = await realpath(path).catch(() => null);
  if (real === null || (root !== null && !isBeneath(real, await realpath(root)))) return null;
  const facts = await stat(real);
  return facts.isFile() && facts.size <= MAX_FILE_BYTES ? readFile(real, 'utf8') : null;
}

function parseFile(
  text: string,
  file: string,
  origin: 'user' | 'project',
  environment: McpSources['environment'],
): { servers: McpServer[]; notes: McpNote[] } {
  const parsed = fileSchema.safeParse(jsonOf(text));
  if (!parsed.success) {
    const message = `${file} is not a configuration: ${z.prettifyError(parsed.error)}`;
    return { servers: [], notes: [{ state: 'unusable', name: file, message }] };
  }
  const servers: McpServer[] = [];
  const notes: McpNote[] = [];
  for (const [name, entry] of Object.entries(parsed.data.mcpServers)) {
    const server = serverOf(name, entry, origin, environment);
    if (typeof server === 'string') notes.push({ state: 'unusable', name, message: `${file}, ${name}: ${server}` });
    else if (server !== null) servers.push(server);
  }
  return { servers, notes };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Null: switched off. A text: what is wrong. */
function serverOf(
  name: string,
  entry: unknown,
  origin: 'user' | 'project',
  environment: McpSources['environment'],
): McpServer | string | null {
  const isHttp = typeof entry === 'object' && entry !== null && 'url' in entry;
  const parsed = isHttp ? http.safeParse(entry) : stdio.safeParse(entry);
  if (!parsed.success) return z.prettifyError(parsed.error);
  const { network, disabled } = parsed.data;
  if (disabled) return null;
  const fill = expander(environment);
  const trustReadOnly = origin === 'user' && parsed.data.trustReadOnly;
  const shared = { name, origin, trustReadOnly, ...(network === undefined ? {} : { network }) };
  if ('url' in parsed.data)
    return { ...shared, kind: 'http', url: fill(parsed.data.url), headers: filled(parsed.data.headers, fill) };
  const { command, args, env, readable, writable } = parsed.data;
  const opened = (paths: readonly string[]) => (origin === 'user' ? paths.map(fill).filter(isAbsolute) : []);
  const open = { readable: opened(readable), writable: opened(writable) };
  return { ...shared, ...open, kind: 'stdio', command: fill(command), args: args.map(fill), env: filled(env, fill) };
}

function expander(environment: McpSources['environment']): (text: string) => string {
  return (text) =>
    text.replace(/\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g, (_, name: string, otherwise: string | undefined) => {
      return environment[name] ?? otherwise ?? '';
    });
}

function filled(values: Readonly<Record<string, string>>, fill: (text: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, fill(value)]));
}
