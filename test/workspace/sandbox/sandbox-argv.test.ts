import { expect, test } from 'vitest';
import { inetFilter } from '../../../src/workspace/sandbox/inet-filter.ts';
import { type SandboxPolicy, unenforced } from '../../../src/workspace/sandbox/policy.ts';
import { sandboxArgv } from '../../../src/workspace/sandbox/sandbox-argv.ts';

const policy: SandboxPolicy = {
  workspace: '/home/ann/.data/workspaces/own',
  mode: 'write',
  readable: ['/home/ann/.data/workspaces/own/.git'],
  writable: ['/home/ann/.data/run'],
  hidden: ['/home/ann/.data'],
  home: '/home/ann/.data/private/home',
  temp: '/home/ann/.data/private/temp',
  userHome: '/home/ann',
  toolPaths: ['/home/ann/bin'],
  network: 'loopback',
};
const enforcement = { sandbox: 'bubblewrap', filesystem: true, network: true, processes: true } as const;
const line = (change: Partial<SandboxPolicy> = {}, fds = {}) =>
  sandboxArgv({ ...policy, ...change }, ['make', '--', 'all'], enforcement, fds).join(' ');

test('without a sandbox the command line is the command', () => {
  expect(sandboxArgv(policy, ['make'], unenforced('why'))).toEqual(['make']);
});

test('the command follows the end of the options, whatever it looks like', () => {
  expect(line()).toMatch(/ -- make -- all$/);
  expect(line()).toMatch(/^bwrap .*--unshare-pid .*--die-with-parent .*--new-session/);
});

test('deeper paths are mounted after shallower ones, so that what lies in a hidden directory is seen again', () => {
  const mounted = [
    '--tmpfs /home/ann ',
    '--tmpfs /home/ann/.data ',
    `--bind ${policy.workspace} `,
    `--ro-bind-try ${policy.readable[0]} `,
  ];
  const positions = mounted.map((text) => line().indexOf(text));
  expect(positions.every((position) => position > 0)).toBe(true);
  expect([...positions].sort((left, right) => left - right)).toEqual(positions);
});

test('emptied directories are sealed after everything in them is mounted', () => {
  expect(line().indexOf('--remount-ro /home/ann')).toBeGreaterThan(line().indexOf(`--bind ${policy.workspace}`));
});

test('a workspace that is the home directory itself is shown, and what is hidden in it is not', () => {
  const whole = line({ workspace: '/home/ann' });
  expect(whole).toContain('--bind /home/ann /home/ann ');
  expect(whole).not.toContain('--tmpfs /home/ann ');
  expect(whole).toContain('--tmpfs /home/ann/.data ');
});

test('read mode binds the workspace read-only', () => {
  expect(line({ mode: 'read' })).toContain(`--ro-bind ${policy.workspace} `);
});

test('the network is shared only for "all" or where it cannot be separated', () => {
  expect(line()).toContain('--unshare-net');
  expect(line({ network: 'all' })).not.toContain('--unshare-net');
  expect(line({ network: 'none' }, { filterFd: 6 })).toContain('--unshare-net --seccomp 6');
  expect(line({ network: 'loopback' }, { filterFd: 6 })).not.toContain('--seccomp');
  expect(sandboxArgv(policy, ['x'], { ...enforcement, network: false })).not.toContain('--unshare-net');
});

test('the socket filter exists for the machines we know, in whole instructions', () => {
  expect(inetFilter('x64')?.length).toBe(72);
  expect(inetFilter('arm64')?.length).toBe(72);
  expect(inetFilter('mips')).toBeNull();
});
