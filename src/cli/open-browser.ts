import { spawn } from 'node:child_process';
import type { Shell } from './shell.ts';

interface Opener {
  readonly program: string;
  readonly args: readonly string[];
}

/**
 * How this system shows an address in the browser of the person: `BROWSER` where it is set, else what comes with the
 * system. Undefined where there is no desktop, such as over ssh.
 */
export function openerOf(platform: string, env: Readonly<Record<string, string>>, url: string): Opener | undefined {
  const { BROWSER: own = '', DISPLAY: x = '', WAYLAND_DISPLAY: wayland = '' } = env;
  if (own !== '') return { program: own, args: [url] };
  if (platform === 'darwin') return { program: 'open', args: [url] };
  // The empty argument is the title of a window; without it `start` takes the address for one.
  if (platform === 'win32') return { program: 'cmd', args: ['/c', 'start', '', url] };
  return x === '' && wayland === '' ? undefined : { program: 'xdg-open', args: [url] };
}

/** Opens the address, and waits for nothing. Where it cannot it says so; nothing else depends on it. */
export function openBrowser({ env, err }: Pick<Shell, 'env' | 'err'>, url: string): void {
  const opener = openerOf(process.platform, env, url);
  if (!opener) {
    err(`No desktop was found here. Open ${url} yourself.`);
    return;
  }
  const child = spawn(opener.program, opener.args, { stdio: 'ignore', detached: true });
  child.on('error', (error) => err(`The browser cannot be opened (${error.message}). Open ${url} yourself.`));
  child.unref();
}
