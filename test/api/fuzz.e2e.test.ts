import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { statusOfCode } from '../../src/api/codes.ts';
import { seedOr } from '../model/draw.ts';
import { filled, HINTS, harvest, type Pools, seed } from './fuzz/pools.ts';
import { type Document, type FuzzRequest, requestsOf } from './fuzz/requests.ts';
import { type Served, served } from './http.ts';

const REQUESTS = 10_000;
/** After so many the items are used up, and fresh ones are made. */
const ROUND = 400;

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

let at: Served;
/** What the server would write to its log. */
const defects: string[] = [];
let watcher: Database.Database;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
beforeAll(async () => {
  at = await served({
    serve: { report: ({ error }) => defects.push(error instanceof Error ? `${error.stack}` : String(error)) },
  });
  watcher = new Database(at.world.home.database, { readonly: true });
});
afterAll(async () => {
  agent.destroy();
  watcher.close();
  expect(await at.close()).toBe(0);
});

/** Another number whenever anything at all was committed to the database by somebody else. */
const committed = (): unknown => watcher.pragma('data_version', { simple: true });

/** Segments of dots are taken out before a request leaves: it reaches another route than the one it was drawn for. */
const isElsewhere = (path: string): boolean => new URL(path, at.api.url).pathname !== path.split('?')[0];

/** Sends it and reads the answer; of a stream that goes on, only its head. */
function send({ method, path, headers: said, body }: FuzzRequest): Promise<Answer> {
  const headers = body === undefined ? said : { ...said, 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const sent = request(`${at.api.url}${path}`, { method, headers, agent }, (response) => {
      const type = response.headers['content-type'] ?? '';
      const status = response.statusCode ?? 0;
      const parts: Buffer[] = [];
      const done = (): void => resolve({ status, type, text: Buffer.concat(parts).toString() });
      if (type.startsWith('text/event-stream')) {
        response.on('error', () => undefined).destroy();
        return done();
      }
      response.on('data', (part: Buffer) => parts.push(part)).on('end', done);
    });
    sent.on('error', reject).end(body);
  });
}

/** Every code that is written down anywhere: refusals of the core, of the store, and those of the outside alone. */
const CODES = new Set(
  ['../../src/core/rejection.ts', '../../src/api/codes.ts', '../../src/store/store-error.ts']
    .map((path) => readFileSync(new URL(path, import.meta.url), 'utf8'))
    .flatMap((source) => [...source.matchAll(/'([a-z_]+)'|^ {2}([a-z_]+): \d{3},$/gm)].map(([, a, b]) => a ?? b)),
);

/** What is wrong with a refusal; undefined for one that is as the document says. */
function wrongRefusal({ status, type, text }: Answer): string | undefined {
  if (status >= 500) return 'a failure of the server';
  if (type !== 'application/problem+json') return `no problem document but ${type}`;
  const body = JSON.parse(text) as { readonly code?: string; readonly status?: number; readonly detail?: string };
  if (body.status !== status || statusOfCode(body.code ?? '') !== status) return 'a code that is not of its status';
  if (!CODES.has(body.code)) return 'a code that nobody knows';
  return typeof body.detail === 'string' && body.detail !== '' ? undefined : 'no word of why';
}

const pointer = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1');

/** Judges bodies of answers by what the document says of them. */
function judge(document: Document): (operation: string, answer: Answer) => string | undefined {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, 'doc');
  const known = new Map<string, ValidateFunction | undefined>();
  const validatorOf = (operation: string, status: number): ValidateFunction | undefined => {
    const [method = '', path = ''] = operation.split(' ');
    const schema = document.paths[path]?.[method.toLowerCase()]?.responses[status]?.content?.['application/json'];
    const place = [
      'paths',
      path,
      method.toLowerCase(),
      'responses',
      `${status}`,
      'content',
      'application/json',
      'schema',
    ];
    return schema ? ajv.compile({ $ref: `doc#/${place.map(pointer).join('/')}` }) : undefined;
  };
  return (operation, { status, type, text }) => {
    if (type !== 'application/json') return undefined;
    const name = `${operation} ${status}`;
    if (!known.has(name)) known.set(name, validatorOf(operation, status));
    const isValid = known.get(name);
    if (!isValid) return `${status} is not in the document`;
    return isValid(JSON.parse(text)) ? undefined : `not as the document says: ${ajv.errorsText(isValid.errors)}`;
  };
}

it('stands 10,000 requests made from its own document: none fails, and what is refused changes nothing', async () => {
  const seedOfRun = seedOr(randomInt(1, 2 ** 31));
  const document = (await (await at.get('/openapi.json')).json()) as Document;
  const wrongBody = judge(document);
  const tally = new Map<string, number>();
  let pools: Pools = {};
  let count = 0;
  const check = async (drawn: FuzzRequest): Promise<void> => {
    if (count % ROUND === 0) pools = { ...pools, ...(await seed(at, count / ROUND)) };
    count += 1;
    const sent = {
      ...drawn,
      path: filled(drawn.path, pools),
      ...(drawn.body === undefined ? {} : { body: filled(drawn.body, pools) }),
    };
    const before = committed();
    const answer = await send(sent);
    const isFine = answer.status < 300;
    const key = `${isFine ? 'done' : 'refused'} ${drawn.operation}`;
    tally.set(key, (tally.get(key) ?? 0) + 1);
    const isHead = drawn.method === 'HEAD';
    if (isFine && !isHead && answer.type === 'application/json')
      harvest(pools, drawn.operation, JSON.parse(answer.text));
    const wrong =
      (!isFine && committed() !== before ? 'refused, yet something was written' : undefined) ??
      (isHead
        ? undefined
        : isFine
          ? isElsewhere(sent.path)
            ? undefined
            : wrongBody(drawn.operation, answer)
          : wrongRefusal(answer));
    if (wrong !== undefined)
      throw new Error(
        `WC_SEED=${seedOfRun}: ${wrong}\n${JSON.stringify(sent).slice(0, 3_000)}\n${answer.status} ${answer.text.slice(0, 2_000)}\n${defects.join('\n')}`,
      );
  };
  for (const drawn of fc.sample(requestsOf(document, HINTS), { seed: seedOfRun, numRuns: REQUESTS }))
    await check(drawn);
  // Requests that are all refused would show little; what the items here lack (commits, stored output) is done never.
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  for (const what of ['done', 'refused']) {
    // Nothing runs here: no workspace is looked at, and no Run has printed anything.
    const possible = operations.filter((each) => what === 'refused' || !/\/(workspace\/\w+|output)$/.test(each));
    const lacking = possible.filter((each) => !tally.has(`${what} ${each}`));
    expect(lacking.length, `WC_SEED=${seedOfRun}: never ${what}: ${lacking}`).toBeLessThan(possible.length / 4);
  }
  expect((await at.store.doctor()).findings, `WC_SEED=${seedOfRun}`).toEqual([]);
}, 300_000);
