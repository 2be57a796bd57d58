import { expect, test } from 'vitest';
import { childEnvironment, privateDirectories } from '../../../src/workspace/process/environment.ts';

const parent = {
  PATH: '/usr/bin',
  HOME: '/home/ann',
  LANG: 'de_DE.UTF-8',
  LC_ALL: 'C',
  TERM: 'xterm',
  CI: '1',
  OPENAI_API_KEY: 'canary',
  AWS_SECRET_ACCESS_KEY: 'canary',
  SSH_AUTH_SOCK: '/canary',
  NODE_OPTIONS: '--canary',
  LD_PRELOAD: '/canary',
  WORKCENTER_TOKEN: 'canary',
  https_proxy: 'http://ann:canary@proxy:3128/',
  NO_PROXY: 'localhost',
  TZ: undefined,
};

test('places and languages are passed, secrets and everything unknown are not', () => {
  const env = childEnvironment({ parent });
  expect(env).toMatchObject({ PATH: '/usr/bin', LANG: 'de_DE.UTF-8', LC_ALL: 'C', NO_PROXY: 'localhost' });
  expect(JSON.stringify(env)).not.toContain('canary');
  for (const name of ['HOME', 'CI', 'TZ']) expect(env).not.toHaveProperty(name);
});

test('a proxy loses the login in its address and nothing else', () => {
  expect(childEnvironment({ parent }).https_proxy).toBe('http://proxy:3128/');
  expect(childEnvironment({ parent: { ALL_PROXY: 'ann:x@proxy:1' } }).ALL_PROXY).toBe('proxy:1');
});

test('no tool waits for a person', () => {
  expect(childEnvironment({ parent })).toMatchObject({
    TERM: 'dumb',
    GIT_TERMINAL_PROMPT: '0',
    GIT_EDITOR: 'true',
    PAGER: 'cat',
  });
});

test('what the plan declares wins over our defaults, what the engine adds wins over both', () => {
  const declared = { CI: '1', PAGER: 'less', HOME: '/elsewhere', WORKCENTER_RUN: 'forged:9' };
  const extra = privateDirectories({ home: '/private/home', temp: '/private/temp' });
  const env = childEnvironment({ parent, declared, extra });
  expect(env).toMatchObject({ CI: '1', PAGER: 'less', HOME: '/private/home', TMPDIR: '/private/temp' });
  expect(env).not.toHaveProperty('WORKCENTER_RUN');
});

test("Rust's tools find their toolchains although HOME is private", () => {
  const env = childEnvironment({ parent: { HOME: '/home/ann', PATH: '/home/ann/.cargo/bin:/usr/bin' } });
  expect(env.RUSTUP_HOME).toBe('/home/ann/.rustup');
});
