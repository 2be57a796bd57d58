import { homeAt } from '../../engine/home.ts';
import { bad } from '../answer.ts';
import type { Shell } from '../shell.ts';
import { remoteStore } from './remote-store.ts';
import type { Server } from './server.ts';

const isAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

/** A hold on the installation of the server at `WORKCENTER_URL`; its files are out of reach, its items are not. */
export async function remoteApp(shell: Shell, url: string) {
  if (!isAddress(url)) return bad('WORKCENTER_URL is no address.', 'such as http://127.0.0.1:7420', url);
  const { WORKCENTER_TOKEN: token } = shell.env;
  const { createClient } = await import('../../client/index.ts');
  const client = createClient({ url, ...(token === undefined || token === '' ? {} : { token }) });
  return {
    shell,
    // A place where nothing can be.
    home: homeAt('/dev/null/workcenter'),
    store: remoteStore(client, shell.now),
    policy: { concurrency: 1, dailyTokens: null, dailyCostMicros: null },
    server: async (): Promise<Server> => ({ client, isRemote: true }),
  };
}
