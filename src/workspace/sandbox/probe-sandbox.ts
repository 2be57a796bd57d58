import { spawn } from 'node:child_process';
import { access, mkdir, mkdtemp, readlink, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inetFilter } from './inet-filter.ts';
import { type Enforcement, type SandboxPolicy, unenforced } from './policy.ts';
import { sandboxArgv } from './sandbox-argv.ts';

export interface ProbeOptions {
  /** Do not use a sandbox even where one works. */
  readonly disabled?: boolean;
  /** Absolute path of bubblewrap; default: the usual places. */
  readonly program?: string;
  /** Where the probe makes and removes its scratch directory; default: the system's. */
  readonly scratchDir?: string;
}

const USUAL_PLACES = ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/bin/bwrap', '/run/current-system/sw/bin/bwrap'];
const HANG_GUARD_MS = 10_000;
const FILTER_FD = 3;

/** Prints one word for each thing that should not have been possible, then where it ran. */
const SCRIPT = [
  '(echo x > "$1/new") 2>/dev/null && echo wrote-workspace',
  '(echo x > "$2/new") 2>/dev/null && echo wrote-root',
  'cat "$3/secret" 2>/dev/null && echo read-hidden',
  '(echo x > "$4/new") 2>/dev/null || echo no-private-home',
  'echo pid-namespace "$(readlink /proc/self/ns/pid)"',
  'echo net-namespace "$(readlink /proc/self/ns/net)"',
  'echo finished',
].join('\n');

const known = new Map<string, Promise<Enforcement>>();

/**
 * What the sandbox really enforces here, by starting it and trying what it must prevent. The answer is kept
 * for the life of the process, per options. Never rejects: a machine without a sandbox is an answer.
 */
export function probeSandbox(options: ProbeOptions = {}): Promise<Enforcement> {
  const key = JSON.stringify([options.disabled === true, options.program, options.scratchDir]);
  const answer = known.get(key) ?? probe(options).catch((error) => unenforced(`The probe failed: ${String(error)}`));
  known.set(key, answer);
  return answer;
}

async function probe(options: ProbeOptions): Promise<Enforcement> {
  if (options.disabled === true) return unenforced('The sandbox is switched off by configuration.');
  const program = await findProgram(options.program);
  if (program === null) return unenforced('bubblewrap (bwrap) is not installed.');
  const scratch = await realpath(await mkdtemp(join(options.scratchDir ?? tmpdir(), 'workcenter-probe-')));
  try {
    return await probeIn(scratch, program);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function findProgram(wanted: string | undefined): Promise<string | null> {
  for (const path of wanted === undefined ? USUAL_PLACES : [wanted]) {
    if (await isThere(path)) return path;
  }
  return null;
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

async function probeIn(scratch: string, program: string): Promise<Enforcement> {
  const policy = await probePolicy(scratch);
  const full: Enforcement = { sandbox: 'bubblewrap', filesystem: true, network: true, processes: true, program };
  const isolated = await tryPolicy(policy, full, scratch);
  const seen = isolated.finished ? isolated : await tryPolicy({ ...policy, network: 'all' }, full, scratch);
  if (!seen.finished) return unenforced(`bubblewrap does not work here: ${seen.complaint}`);
  const processes = seen.namespaces.pid !== (await readlink('/proc/self/ns/pid'));
  const network = isolated.finished && seen.namespaces.net !== (await readlink('/proc/self/ns/net'));
  const socketFilter = network && (await filterWorks(policy, full));
  const gaps = [
    ...(seen.violations.length === 0 ? [] : [`the file system is not protected (${seen.violations.join(', ')})`]),
    ...(processes ? [] : ['processes share the host namespace']),
    ...(network ? [] : [`the network is not isolated (${isolated.complaint})`]),
    ...(network && !socketFilter ? ['network `none` still has its own loopback'] : []),
  ];
  const enforcement = { ...full, filesystem: seen.violations.length === 0, network, processes, socketFilter };
  return gaps.length === 0 ? enforcement : { ...enforcement, reason: `Not enforced: ${gaps.join('; ')}.` };
}

async function probePolicy(scratch: string): Promise<SandboxPolicy> {
  const at = (name: string) => join(scratch, name);
  for (const name of ['workspace', 'hidden', 'home', 'temp', 'user']) await mkdir(at(name));
  await writeFile(join(at('hidden'), 'secret'), 'secret\n');
  return {
    workspace: at('workspace'),
    mode: 'read',
    readable: [],
    writable: [],
    hidden: [at('hidden')],
    home: at('home'),
    temp: at('temp'),
    userHome: at('user'),
    toolPaths: [],
    network: 'loopback',
  };
}

interface Observation {
  readonly finished: boolean;
  readonly violations: readonly string[];
  readonly namespaces: { readonly pid: string; readonly net: string };
  readonly complaint: string;
}

async function tryPolicy(policy: SandboxPolicy, enforcement: Enforcement, scratch: string): Promise<Observation> {
  const command = ['/bin/sh', '-c', SCRIPT, 'sh', policy.workspace, '/etc', join(scratch, 'hidden'), policy.home];
  const { stdout, stderr } = await runOnce(sandboxArgv(policy, command, enforcement));
  const lines = stdout.split('\n');
  const after = (word: string) => lines.find((line) => line.startsWith(`${word} `))?.slice(word.length + 1) ?? '';
  return {
    finished: lines.includes('finished'),
    violations: ['wrote-workspace', 'wrote-root', 'read-hidden', 'no-private-home'].filter((word) =>
      lines.includes(word),
    ),
    namespaces: { pid: after('pid-namespace'), net: after('net-namespace') },
    complaint: stderr.trim().slice(0, 300) || 'no explanation given',
  };
}

/** The kernel accepts the filter; what it refuses is fixed by construction. */
async function filterWorks(policy: SandboxPolicy, enforcement: Enforcement): Promise<boolean> {
  const filter = inetFilter(process.arch);
  if (filter === null) return false;
  const argv = sandboxArgv({ ...policy, network: 'none' }, ['/bin/sh', '-c', 'echo finished'], enforcement, {
    filterFd: FILTER_FD,
  });
  return (await runOnce(argv, filter)).stdout.includes('finished');
}

interface Printed {
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command that prints little, with `descriptor` readable at fd 3. Never rejects. */
function runOnce(argv: readonly string[], descriptor: Uint8Array = new Uint8Array()): Promise<Printed> {
  return new Promise((resolve) => {
    const [file = '', ...args] = argv;
    const child = spawn(file, args, {
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    });
    const printed = { stdout: '', stderr: '' };
    const guard = setTimeout(() => child.kill('SIGKILL'), HANG_GUARD_MS);
    const done = (complaint = '') => {
      clearTimeout(guard);
      resolve({ ...printed, stderr: printed.stderr + complaint });
    };
    child.stdout?.on('data', (chunk) => {
      printed.stdout += String(chunk);
    });
    child.stderr?.on('data', (chunk) => {
      printed.stderr += String(chunk);
    });
    const extra = child.stdio[FILTER_FD];
    extra?.on('error', () => {}); // A child that never reads its descriptor is fine.
    if (extra !== null && extra !== undefined && 'end' in extra) extra.end(descriptor);
    child.on('error', (error) => done(error.message));
    child.on('close', () => done());
  });
}
