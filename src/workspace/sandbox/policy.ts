import type { Enforcement as Recorded } from '../../core/model/action.ts';

/**
 * What a child process may see and touch. All paths are absolute and real (no symbolic link on the way);
 * `resolvePolicy` makes them so. Where two rules meet, the deeper path wins, and at the same path the more
 * open one: a workspace inside the hidden data directory is visible, `.git` listed as `readable` inside a
 * writable workspace is read-only.
 */
export interface SandboxPolicy {
  /** The directory the command works in, mounted at its own path. */
  readonly workspace: string;
  /** `read` binds the workspace read-only. */
  readonly mode: 'write' | 'read';
  /** Bound read-only; entries that do not exist are skipped. */
  readonly readable: readonly string[];
  /** Bound writable; entries that do not exist are skipped. */
  readonly writable: readonly string[];
  /** Directories replaced by an empty read-only one: the data directory, other workspaces, secrets. */
  readonly hidden: readonly string[];
  /** Single files replaced by an empty one. */
  readonly hiddenFiles?: readonly string[];
  /** Private HOME on the host, writable. */
  readonly home: string;
  /** Private TMPDIR on the host, writable, also seen as `/tmp`. */
  readonly temp: string;
  /** The person's home directory, always hidden. */
  readonly userHome: string;
  /**
   * Directories of installed tools to bind back read-only, from `toolDirectories`. Take them from the
   * person's own PATH, never from one a plan declares: that would let a plan uncover any directory.
   */
  readonly toolPaths: readonly string[];
  /**
   * `all` shares the host's network; `loopback` has a loopback of its own and nothing else; `none` refuses
   * every socket that is not local to the sandbox (`AF_UNIX`, `AF_NETLINK`).
   */
  readonly network: 'none' | 'loopback' | 'all';
}

/** What this machine really enforces; every Run and receipt records it, without what only the launch needs. Made by `probeSandbox`. */
export interface Enforcement extends Recorded {
  /** `none` also refuses sockets on the sandbox's own loopback. */
  readonly socketFilter?: boolean;
  /** Absolute path of the program that was probed. */
  readonly program?: string;
}

/** The enforcement of a machine without a sandbox. */
export function unenforced(reason: string): Enforcement {
  return { sandbox: 'none', filesystem: false, network: false, processes: false, reason };
}
