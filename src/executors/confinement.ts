import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Network } from '../core/model/contract.ts';
import type { Enforcement, SandboxPolicy } from '../workspace/sandbox/policy.ts';

/** What is the same for every process of one engine on one machine; the command line collects it. */
export interface Confinement {
  readonly enforcement: Enforcement;
  /** The engine's own environment; children get an allow-listed part. */
  readonly parentEnvironment: Readonly<Record<string, string | undefined>>;
  /** The data directory, other projects: see `SandboxPolicy.hidden`. */
  readonly hidden: readonly string[];
  /** Readable although it lies in something hidden: object directories that clones borrow from. */
  readonly readable: readonly string[];
  readonly userHome: string;
  readonly toolPaths: readonly string[];
  /** Literal values that may appear in no output. */
  readonly secrets: readonly string[];
}

export interface ProcessPlace {
  readonly workspace: string;
  readonly mode: 'read' | 'write';
  readonly network: Network;
  readonly home: string;
  readonly temp: string;
  readonly readable?: readonly string[];
  readonly writable?: readonly string[];
}

/** The sandbox of one process. */
export function sandboxFor(
  confinement: Confinement,
  place: ProcessPlace,
): { readonly policy: SandboxPolicy; readonly enforcement: Enforcement } {
  const { hidden, userHome, toolPaths, enforcement } = confinement;
  const { workspace, mode, network, home, temp } = place;
  const readable = [...confinement.readable, ...(place.readable ?? [])];
  const writable = [...(place.writable ?? [])];
  return {
    enforcement,
    policy: { workspace, mode, readable, writable, hidden, home, temp, userHome, toolPaths, network },
  };
}

/** A home and a temporary directory of one process, made below `directory`. */
export async function privatePlace(directory: string): Promise<{ home: string; temp: string }> {
  const place = { home: join(directory, 'home'), temp: join(directory, 'temp') };
  await mkdir(place.home, { recursive: true });
  await mkdir(place.temp, { recursive: true });
  return place;
}

/**
 * The object directories that a clone of the repository at `gitDir` borrows from, itself first: what a sandbox must
 * leave readable for git to work in the clone. One level of lenders is followed, as the engine makes them.
 */
export async function objectDirectories(gitDir: string): Promise<string[]> {
  const own = join(gitDir, 'objects');
  const lenders = await readFile(join(own, 'info', 'alternates'), 'utf8').catch(() => '');
  return [own, ...lenders.split('\n').filter((line) => line.startsWith('/'))];
}

/** One sentence for a brief: what is enforced around a process. */
export function enforcedSentence(enforcement: Enforcement, place: Pick<ProcessPlace, 'mode' | 'network'>): string {
  if (enforcement.sandbox === 'none')
    return `Nothing is enforced on this machine (${enforcement.reason ?? 'no sandbox'}); keep to the rules all the same.`;
  const files = place.mode === 'read' ? 'the workspace is read-only' : 'only the workspace can be written';
  const network = { none: 'no network', loopback: 'only a private loopback', all: 'the network is open' };
  return `Enforced by ${enforcement.sandbox}: ${files}; ${network[place.network]}.`;
}
