import { dirname } from 'node:path';
import { inetFilter } from '../sandbox/inet-filter.ts';
import type { Enforcement, SandboxPolicy } from '../sandbox/policy.ts';
import { resolvePolicy } from '../sandbox/resolve-policy.ts';
import { sandboxArgv } from '../sandbox/sandbox-argv.ts';
import { FILTER_FD, gatedArgv, STATUS_FD } from './gate.ts';
import { PROCESS_VARIABLE, RUN_VARIABLE } from './tagged-processes.ts';

export interface LaunchSpec {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly runTag: string;
  readonly sandbox?: { readonly policy: SandboxPolicy; readonly enforcement: Enforcement };
  readonly exitFile?: string;
}

/** Everything that is needed to start the child, worked out before anything is started. */
export interface Launch {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The child is bubblewrap, and its process tree dies with it. */
  readonly ownNamespace: boolean;
  readonly filter: Uint8Array | null;
  readonly processId: string;
}

/** The dynamic loader and the C library obey these before a program's first line runs. */
const LOADER_VARIABLE = /^(LD_|GCONV_PATH$|GLIBC_TUNABLES$|LOCPATH$|MALLOC_|NLSPATH$|RES_OPTIONS$|HOSTALIASES$)/;

/** Rejects if the sandbox's workspace, home or temporary directory does not exist. */
export async function prepareLaunch(spec: LaunchSpec, processId: string): Promise<Launch> {
  const gated = gatedArgv(spec);
  const env = { ...spec.env, [RUN_VARIABLE]: spec.runTag, [PROCESS_VARIABLE]: processId };
  if (spec.sandbox === undefined || spec.sandbox.enforcement.sandbox === 'none') {
    return { argv: gated, env, ownNamespace: false, filter: null, processId };
  }
  const { enforcement } = spec.sandbox;
  const policy = await resolvePolicy(withExitFile(spec.sandbox.policy, spec.exitFile));
  const wantsFilter = policy.network === 'none' && enforcement.socketFilter === true;
  const filter = wantsFilter ? inetFilter(process.arch) : null;
  const entries = Object.entries(env);
  const argv = sandboxArgv(policy, gated, enforcement, {
    statusFd: STATUS_FD,
    ...(filter === null ? {} : { filterFd: FILTER_FD }),
    setenv: Object.fromEntries(entries.filter(([name]) => LOADER_VARIABLE.test(name))),
  });
  const outside = Object.fromEntries(entries.filter(([name]) => !LOADER_VARIABLE.test(name)));
  return { argv, env: outside, ownNamespace: enforcement.processes, filter, processId };
}

function withExitFile(policy: SandboxPolicy, exitFile: string | undefined): SandboxPolicy {
  if (exitFile === undefined) return policy;
  return { ...policy, writable: [...policy.writable, dirname(exitFile)] };
}
