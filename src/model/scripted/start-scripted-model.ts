import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { createAdaptorServer } from '@hono/node-server';
import type { CompiledScenario } from './compiled-scenario.ts';
import { parseScenario, parseScenarioText } from './parse-scenario.ts';
import { createRecorder, type RecordedRequest, type StepCount } from './recorder.ts';
import type { ScriptedScenario } from './scenario.ts';
import { scriptedRoutes } from './scripted-routes.ts';
import type { Sleep } from './send.ts';

export interface ScriptedModelOptions {
  /** Any free one when absent. */
  readonly port?: number;
  /** A file to which every request is appended as one line of JSON. */
  readonly record?: string;
  /** Called with every request before it is answered; the answer waits for what it returns. */
  readonly onRequest?: (request: RecordedRequest) => void | Promise<void>;
  /** Epoch milliseconds. */
  readonly now?: () => number;
  /** Carries out `delayMs` and `chunkDelayMs`; for tests that do not want to wait. */
  readonly sleep?: Sleep;
}

/** A running server on 127.0.0.1. */
export interface ScriptedModel {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** Base URL for OpenAI clients, with `/v1`. */
  readonly openaiUrl: string;
  /** Base URL for the AI SDK's Anthropic provider, with `/v1`; Anthropic's own clients want it without. */
  readonly anthropicUrl: string;
  readonly requests: readonly RecordedRequest[];
  /** Requests that were refused because the scenario is not made for them. Empty after a good test. */
  readonly unmatched: readonly RecordedRequest[];
  readonly steps: readonly StepCount[];
  /** Forgets requests and how often steps were used. */
  readonly reset: () => void;
  /** Ends all connections at once, also those in the middle of an answer. */
  readonly close: () => Promise<void>;
}

async function read(scenario: ScriptedScenario | string): Promise<CompiledScenario> {
  const isFile = typeof scenario === 'string';
  const result = isFile ? parseScenarioText(await readFile(scenario, 'utf8'), scenario) : parseScenario(scenario);
  if (result.ok) return result.scenario;
  throw new Error(['The scenario is not valid:', ...result.problems.map((problem) => `  ${problem}`)].join('\n'));
}

const wait: Sleep = (durationMs, signal) => delay(durationMs, undefined, { signal }).catch(() => undefined);

/** Listens on loopback only. Rejects when the port is taken. */
async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

/**
 * Starts a model that answers by a scenario: given as an object, or as the path of a YAML or JSON file. Throws when
 * the scenario is not valid, with all its problems, and when the port is taken.
 */
export async function startScriptedModel(
  scenario: ScriptedScenario | string,
  options: ScriptedModelOptions = {},
): Promise<ScriptedModel> {
  const { port = 0, record, onRequest = () => undefined, now = Date.now, sleep = wait } = options;
  const compiled = await read(scenario);
  const recorder = createRecorder(compiled, record);
  const closing = new AbortController();
  const shared = { scenario: compiled, recorder, items: new Map(), onRequest, now, sleep, closing: closing.signal };
  const server = createAdaptorServer({ fetch: scriptedRoutes(shared).fetch });
  if (!(server instanceof Server)) throw new Error('expected a plain HTTP server');
  const url = `http://127.0.0.1:${await listen(server, port)}`;
  return {
    url,
    openaiUrl: `${url}/v1`,
    anthropicUrl: `${url}/anthropic/v1`,
    requests: recorder.requests,
    get unmatched() {
      return recorder.unmatched;
    },
    get steps() {
      return recorder.steps;
    },
    reset: recorder.reset,
    close: () => close(server, closing),
  };
}

async function close(server: Server, closing: AbortController): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  closing.abort();
  server.closeAllConnections();
  await closed;
}
