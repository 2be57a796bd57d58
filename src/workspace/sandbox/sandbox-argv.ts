import type { Enforcement, SandboxPolicy } from './policy.ts';

/** File descriptors that the caller opened for bubblewrap. */
export interface SandboxDescriptors {
  /** Receives bubblewrap's status documents (`{"child-pid": …}`). */
  readonly statusFd?: number;
  /** Yields the compiled filter of `inetFilter`; without it `none` behaves like `loopback`. */
  readonly filterFd?: number;
  /**
   * Variables set only inside. A loader variable (`LD_PRELOAD`) in bubblewrap's own environment would run
   * the command's code outside the sandbox.
   */
  readonly setenv?: Readonly<Record<string, string>>;
}

/** Survives the read-only view of `/run`, which is otherwise emptied for its control sockets. */
const RUN_KEPT = [
  '/run/systemd/resolve',
  '/run/resolvconf',
  '/run/NetworkManager/resolv.conf',
  '/run/current-system',
  '/run/opengl-driver',
];

/**
 * A root engine keeps what file work needs. Everything else goes: CAP_SYS_ADMIN undoes mounts,
 * CAP_DAC_READ_SEARCH opens hidden files by handle, CAP_MKNOD reads the raw disk.
 */
const FILE_CAPABILITIES = ['CAP_CHOWN', 'CAP_DAC_OVERRIDE', 'CAP_FOWNER', 'CAP_FSETID'];

/**
 * The command line that runs `argv` under `policy`. Pure. With an enforcement of `none` it is `argv` itself.
 * Inside there is no terminal (`--new-session`), no capability beyond file ownership, and the process tree
 * ends with bubblewrap.
 */
export function sandboxArgv(
  policy: SandboxPolicy,
  argv: readonly string[],
  enforcement: Enforcement,
  descriptors: SandboxDescriptors = {},
): string[] {
  if (enforcement.sandbox === 'none') return [...argv];
  return [
    enforcement.program ?? 'bwrap',
    ...['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--die-with-parent', '--new-session'],
    ...networkFlags(policy, enforcement, descriptors),
    ...['--cap-drop', 'ALL', ...FILE_CAPABILITIES.flatMap((name) => ['--cap-add', name])],
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    ...mountFlags(policy),
    ...(descriptors.statusFd === undefined ? [] : ['--json-status-fd', String(descriptors.statusFd)]),
    ...Object.entries(descriptors.setenv ?? {}).flatMap(([name, value]) => ['--setenv', name, value]),
    '--',
    ...argv,
  ];
}

function networkFlags(policy: SandboxPolicy, enforcement: Enforcement, fds: SandboxDescriptors): string[] {
  if (policy.network === 'all' || !enforcement.network) return [];
  const filtered = policy.network === 'none' && fds.filterFd !== undefined;
  return filtered ? ['--unshare-net', '--seccomp', String(fds.filterFd)] : ['--unshare-net'];
}

/** Later rules replace earlier ones at the same path; shallow paths are mounted before deep ones. */
function mountFlags(policy: SandboxPolicy): string[] {
  const mounts = new Map<string, string[]>();
  const bind = (flag: string, path: string, at = path) => mounts.set(at, [flag, path, at]);
  mounts.set('/run', ['--tmpfs', '/run']);
  for (const path of RUN_KEPT) bind('--ro-bind-try', path);
  bind('--bind', policy.temp, '/tmp');
  for (const path of [policy.userHome, ...policy.hidden]) mounts.set(path, ['--tmpfs', path]);
  for (const path of policy.hiddenFiles ?? []) bind('--ro-bind', '/dev/null', path);
  for (const path of [...policy.toolPaths, ...policy.readable]) bind('--ro-bind-try', path);
  for (const path of policy.writable) bind('--bind-try', path);
  for (const path of [policy.home, policy.temp]) bind('--bind', path);
  bind(policy.mode === 'write' ? '--bind' : '--ro-bind', policy.workspace);
  const ordered = [...mounts].sort(([left], [right]) => depth(left) - depth(right));
  return [...ordered.flatMap(([, flags]) => flags), ...sealFlags(mounts)];
}

/** An emptied directory is sealed once its children are mounted: a write there must fail, not vanish. */
function sealFlags(mounts: ReadonlyMap<string, readonly string[]>): string[] {
  const emptied = [...mounts].filter(([path, flags]) => flags[0] === '--tmpfs' && path !== '/run');
  return emptied.flatMap(([path]) => ['--remount-ro', path]);
}

function depth(path: string): number {
  return path.split('/').filter((part) => part !== '').length;
}
