import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { FailedRequest, Place, ServedApi, ServeOptions, TokenPrint } from '../api/index.ts';
import { bad, type Failure, failure, isFailure } from './answer.ts';
import { type App, principalOf } from './app.ts';
import { EXIT } from './exit-codes.ts';
import { flagOption, type Input, listOption, textOption, wholeOption } from './options.ts';
import { submitWith } from './submit-with.ts';
import { tokenFile } from './token-file.ts';

/** Where the build puts the page. */
const PAGE = fileURLToPath(new URL('../web', import.meta.url));

export const PORT = 7420;
const HOST = '127.0.0.1';

/** Where `up` serves HTTP, and to whom; all of it is looked at before anything is started. */
export interface HttpPlan {
  readonly port: number;
  readonly place: Place;
  readonly allowHosts: readonly string[];
  readonly requireToken: boolean;
  readonly fileToken?: TokenPrint;
}

/** A process that ends by itself serves nobody, unless it is said where. */
const wantsHttp = ({ options }: Input): boolean =>
  options.http !== false && (options.untilIdle !== true || options.port !== undefined || options.host !== undefined);

const HOST_NAME = /^([\p{L}\p{N}_-]+(\.[\p{L}\p{N}_-]+)*|\[[0-9a-f:.]+\])(:\d{1,5})?$/iu;

/** Whether anybody could get in where a token is needed. */
async function hasToken({ store, shell }: App): Promise<boolean> {
  const { listTokens, stateOf } = await import('../api/access/token-records.ts');
  return (await listTokens(store)).some((token) => stateOf(token, shell.now()) === 'valid');
}

const noToken = (where: string): Failure =>
  failure(EXIT.refused, 'token_missing', `Nobody could use a server on ${where}: there is no valid token.`, {
    expected: 'a token, for others than you can reach it there',
    found: 'none',
    next: 'workcenter token add NAME --scope operate, or --token-file PATH to have one made.',
  });

/** Undefined: none is wanted. */
export async function httpPlan(app: App, input: Input): Promise<HttpPlan | undefined | Failure> {
  if (!wantsHttp(input)) return undefined;
  const port = wholeOption(input, 'port', 0, 65_535) ?? PORT;
  if (isFailure(port)) return port;
  const host = textOption(input, 'host') ?? HOST;
  const { placeOf, needsToken } = await import('../api/index.ts');
  const place = await placeOf(host);
  if (!place) return bad('--host is no address of this machine.', 'an address, or a name that stands for one', host);
  const allowHosts = listOption(input, 'allowHost');
  const odd = allowHosts.find((name) => !HOST_NAME.test(name));
  if (odd !== undefined) return bad('--allow-host takes the name of a host.', 'name or name:port', odd);
  const path = textOption(input, 'tokenFile');
  const fileToken = path === undefined ? undefined : await tokenFile(app.shell, path);
  if (isFailure(fileToken)) return fileToken;
  const plan = { port, place, allowHosts, requireToken: flagOption(input, 'requireToken') };
  if (fileToken) return { ...plan, fileToken };
  return needsToken(place, plan) && !(await hasToken(app)) ? noToken(host) : plan;
}

const REACHES: Readonly<Record<Place['reach'], string>> = {
  loopback: 'this machine only',
  address: 'whoever reaches this address',
  everywhere: 'every address of this machine',
};

async function whoMay({ place, ...plan }: HttpPlan): Promise<string> {
  const { needsToken } = await import('../api/index.ts');
  return `${REACHES[place.reach]}${needsToken(place, plan) ? ', with a token' : ''}`;
}

const tellFailure =
  ({ shell }: App) =>
  ({ id, method, route, error }: FailedRequest): void => {
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
    shell.err(`HTTP failure ${id}: ${method} ${route}: ${what}`);
  };

/** Where address and port cannot be had the engine goes on without HTTP, and says so. */
export async function serveHttp(
  app: App,
  plan: HttpPlan,
  beside: Pick<ServeOptions, 'troubles' | 'liveText' | 'machine'>,
): Promise<ServedApi | undefined> {
  const { shell, store } = app;
  const [{ mintToken, serveApi }, { announceServer }] = await Promise.all([
    import('../api/index.ts'),
    import('./server/server-file.ts'),
  ]);
  const { version, now } = shell;
  try {
    const report = tellFailure(app);
    const { token, ...print } = mintToken();
    const ownToken = { print, name: principalOf(shell).name };
    const page = existsSync(PAGE) ? { page: PAGE } : {};
    const shown = { ...plan, ...page, ...beside };
    const api = await serveApi({ ...shown, store, version, now, report, submit: submitWith(app), ownToken });
    // Without it commands go to the store, which this process looks at, too.
    const withdraw = await announceServer(app, api.url, token).catch(() => async () => undefined);
    if (!shell.json && 'page' in page) shell.err(`Page: ${api.url}/`);
    if (!shell.json) shell.err(`HTTP: ${api.url}/api/v1 (${await whoMay(plan)}; ${api.url}/openapi.json describes it)`);
    return {
      url: api.url,
      async close() {
        await withdraw();
        await api.close();
      },
    };
  } catch (error) {
    const cause = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    const { port, place } = plan;
    const where = place.address === HOST ? `port ${port}` : `port ${port} of ${place.address}`;
    shell.err(`No HTTP: ${where} cannot be had (${cause}). --port 0 takes a free one, --no-http serves none.`);
    return undefined;
  }
}
