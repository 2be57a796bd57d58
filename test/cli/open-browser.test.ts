import { expect, test } from 'vitest';
import { openerOf } from '../../src/cli/open-browser.ts';

const URL = 'http://127.0.0.1:7420/';

test.each([
  ['darwin', {}, { program: 'open', args: [URL] }],
  ['win32', {}, { program: 'cmd', args: ['/c', 'start', '', URL] }],
  ['linux', { DISPLAY: ':0' }, { program: 'xdg-open', args: [URL] }],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, { program: 'xdg-open', args: [URL] }],
  ['linux', { BROWSER: 'lynx' }, { program: 'lynx', args: [URL] }],
  ['darwin', { BROWSER: 'firefox' }, { program: 'firefox', args: [URL] }],
])('on %s with %j the browser is opened by what that system has for it', (platform, env, expected) => {
  expect(openerOf(platform, env, URL)).toEqual(expected);
});

test('where there is no desktop, such as over ssh, nothing is started', () => {
  expect(openerOf('linux', {}, URL)).toBeUndefined();
});
