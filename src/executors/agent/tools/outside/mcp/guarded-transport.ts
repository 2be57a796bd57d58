import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { childEnvironment, privateDirectories } from '../../../../../workspace/process/environment.ts';
import type { GuardedProcess } from '../../../../../workspace/process/guarded-process.ts';
import { spawnGuarded } from '../../../../../workspace/process/spawn-guarded.ts';
import { privatePlace, sandboxFor } from '../../../../confinement.ts';
import type { ToolContext } from '../../../tool.ts';
import type { StdioServer } from './config.ts';
import { type InputPipe, openInputPipe } from './input-pipe.ts';

const STDERR_CHARS = 2_000;
const GRACE_MS = 1_000;

export interface GuardedTransportSpec {
  readonly server: StdioServer;
  readonly context: ToolContext;
  /** `<runId>:<epoch>`. */
  readonly runTag: string;
  readonly spawn?: typeof spawnGuarded;
}

/**
 * A server on standard input and output, started like every other process of a Run: recorded, sandboxed, ended with the
 * Run. It holds a process from `start` until `close` has resolved.
 */
export class GuardedTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #spec: GuardedTransportSpec;
  readonly #buffer = new ReadBuffer();
  #input: InputPipe | null = null;
  #guarded: GuardedProcess | null = null;
  #starting: Promise<void> = Promise.resolve();
  #closed = false;
  #stderr = '';

  constructor(spec: GuardedTransportSpec) {
    this.#spec = spec;
  }

  /** Its last complaints, not redacted. */
  get stderr(): string {
    return this.#stderr.trim();
  }

  start(): Promise<void> {
    this.#starting = this.#start();
    return this.#starting;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#input === null || this.#closed) throw new Error('The server is not running.');
    await this.#input.write(serializeMessage(message));
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#starting.catch(() => {});
    await this.#input?.close();
    this.#guarded?.abort('It is no longer needed.');
    await this.#guarded?.exited;
  }

  async #start(): Promise<void> {
    const { server, context, runTag, spawn = spawnGuarded } = this.#spec;
    const place = await privatePlace(join(context.runDir, 'mcp', server.name));
    this.#input = await openInputPipe(join(place.home, `.input-${randomUUID()}`));
    this.#guarded = await spawn({
      argv: this.#input.around([server.command, ...server.args]),
      cwd: context.projectPath,
      env: childEnvironment({
        parent: context.confinement.parentEnvironment,
        declared: server.env,
        extra: privateDirectories(place),
      }),
      runTag,
      graceMs: GRACE_MS,
      signal: context.signal,
      sandbox: sandboxFor(context.confinement, {
        ...place,
        workspace: context.workspacePath,
        mode: context.mode === 'read' ? 'read' : 'write',
        network: server.network ?? context.network,
        readable: server.readable,
        writable: server.writable,
      }),
      onOutput: ({ stream, bytes }) => this.#hear(stream, Buffer.from(bytes)),
      onSpawned: (identity) => context.onSpawned(identity),
    });
    this.#guarded.exited.then(() => this.#ended()).catch((error: unknown) => this.onerror?.(toError(error)));
  }

  #hear(stream: 'stdout' | 'stderr', bytes: Buffer): void {
    if (stream === 'stderr') this.#stderr = (this.#stderr + bytes.toString('utf8')).slice(-STDERR_CHARS);
    else if (this.#append(bytes)) while (this.#deliver());
  }

  #append(bytes: Buffer): boolean {
    try {
      this.#buffer.append(bytes);
      return true;
    } catch (error) {
      this.onerror?.(toError(error));
      this.#guarded?.abort('It sent a message that is too long.');
      return false;
    }
  }

  /** Whether there may be another message. */
  #deliver(): boolean {
    try {
      const message = this.#buffer.readMessage();
      if (message === null) return false;
      this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(toError(error)); // A line that is not a message: some servers print those.
    }
    return true;
  }

  async #ended(): Promise<void> {
    this.#closed = true;
    await this.#input?.close();
    this.onclose?.();
  }
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
