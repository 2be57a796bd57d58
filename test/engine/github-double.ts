import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** A pull request as the double keeps it; the API's own names, for it is what the double answers. */
export interface DoublePull {
  readonly number: number;
  readonly html_url: string;
  readonly state: 'open' | 'closed';
  readonly title: string;
  readonly body: string;
  readonly head: { readonly sha: string; readonly ref: string; readonly repo: { readonly full_name: string } };
  readonly base: { readonly ref: string; readonly repo: { readonly full_name: string } };
}

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: Readonly<Record<string, string>>;
}

/** What the double does instead of its work; `after`: it does its work first. */
export interface Mishap {
  readonly on: 'GET' | 'POST';
  readonly status: number;
  readonly text: string;
  readonly after?: boolean;
  /** How often; for ever when absent. */
  readonly times?: number;
}

/** A GitHub on loopback that knows pull requests of `acme/shop`, and no more of them than the engine asks for. */
export interface GithubDouble {
  /** `http://127.0.0.1:<port>`: the API's base and the host of its repositories. */
  readonly url: string;
  readonly pulls: DoublePull[];
  readonly asked: Asked[];
  /** Adds a pull request that is there already. */
  add(pull: { sha: string; head: string; base?: string; state?: 'open' | 'closed' }): DoublePull;
  fail(mishap: Mishap | undefined): void;
  /** Called when a pull request was made, before the answer goes out. */
  onMade: () => void | Promise<void>;
  close(): Promise<void>;
}

const REPOSITORY = { full_name: 'acme/shop' };

/** `shaOf` answers the commit that a branch of the remote is at. */
export async function githubDouble(shaOf: (branch: string) => Promise<string>): Promise<GithubDouble> {
  let mishap: (Mishap & { left: number }) | undefined;
  const server = createServer((request, response) => {
    answer(request, response).catch((error) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;

  const double: GithubDouble = {
    url,
    pulls: [],
    asked: [],
    add: ({ sha, head, base = 'main', state = 'open' }) => keep({ sha, head, base, state, title: 't', body: 'b' }),
    fail: (next) => {
      mishap = next && { ...next, left: next.times ?? Number.POSITIVE_INFINITY };
    },
    onMade: () => undefined,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  function keep(made: Record<'sha' | 'head' | 'base' | 'title' | 'body', string> & { state: 'open' | 'closed' }) {
    const { sha, head, base, title, body, state } = made;
    const number = double.pulls.length + 1;
    const pull: DoublePull = {
      ...{ number, html_url: `${url}/acme/shop/pull/${number}`, state, title, body },
      head: { sha, ref: head, repo: REPOSITORY },
      base: { ref: base, repo: REPOSITORY },
    };
    double.pulls.push(pull);
    return pull;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', headers } = request;
    const path = request.url ?? '';
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const body: Record<string, string> = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : {};
    double.asked.push({ method, path, authorization: headers.authorization, body });
    const wrong = mishap?.on === method && mishap.left > 0 ? mishap : undefined;
    if (wrong) wrong.left -= 1;
    const done = wrong && !wrong.after ? undefined : await work(method, path, body);
    if (method === 'POST' && done?.status === 201) await double.onMade();
    if (wrong) return void response.writeHead(wrong.status, { 'content-type': 'text/html' }).end(wrong.text);
    response.writeHead(done?.status ?? 500, { 'content-type': 'application/json' }).end(JSON.stringify(done?.data));
  }

  async function work(method: string, path: string, body: Record<string, string>) {
    const at = new URL(path, url);
    const number = /^\/repos\/acme\/shop\/pulls\/(\d+)$/.exec(at.pathname)?.[1];
    const found = double.pulls.find((pull) => pull.number === Number(number));
    if (found) return { status: 200, data: found };
    if (at.pathname !== '/repos/acme/shop/pulls') return { status: 404, data: { message: 'Not Found' } };
    const { head = '', base = '', title = '', body: text = '' } = body;
    const isSame = (pull: DoublePull, ref: string, into: string): boolean =>
      pull.state === 'open' && pull.head.ref === ref && pull.base.ref === into;
    if (method === 'GET') {
      const ref = at.searchParams.get('head')?.replace(/^acme:/, '') ?? '';
      return { status: 200, data: double.pulls.filter((pull) => isSame(pull, ref, at.searchParams.get('base') ?? '')) };
    }
    if (double.pulls.some((pull) => isSame(pull, head, base))) {
      return { status: 422, data: { message: 'Validation Failed', errors: [{ message: 'A pull request exists.' }] } };
    }
    return { status: 201, data: keep({ sha: await shaOf(head), head, base, title, body: text, state: 'open' }) };
  }

  return double;
}
