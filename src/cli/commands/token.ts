import type { Scope } from '../../api/access/scopes.ts';
import { TOKEN_NAME, TOKEN_NAME_FORM } from '../../api/access/token-name.ts';
import type { TokenRecord } from '../../api/access/token-records.ts';
import { answer, bad, type Failure, failure, isFailure, type Outcome } from '../answer.ts';
import { type App, viewOf, withApp } from '../app.ts';
import type { CommandModule } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { collect, durationOption, flagOption, type Input, listOption } from '../options.ts';
import { tokenJson, tokenList } from '../render/tokens.ts';

const tokens = () => import('../../api/access/token-records.ts');

const LONGEST_SEC = 3_650 * 86_400;

async function scopesOf(input: Input): Promise<Scope[] | Failure> {
  const { SCOPES } = await import('../../api/access/scopes.ts');
  const named = listOption(input, 'scope').flatMap((text) => text.split(','));
  const known = SCOPES.filter((scope) => named.includes(scope));
  const unknown = named.find((name) => !SCOPES.some((scope) => scope === name));
  if (unknown !== undefined) return bad(`There is no scope ${unknown}.`, SCOPES.join(', '), unknown);
  return known.length === 0 ? ['read'] : known;
}

async function nameOf({ store, shell }: App, name: string): Promise<string | Failure> {
  if (!TOKEN_NAME.test(name)) {
    return bad('A token needs a name that says who uses it.', TOKEN_NAME_FORM, name || 'nothing');
  }
  const { listTokens, stateOf } = await tokens();
  const taken = (await listTokens(store)).find(
    (token) => token.name === name && stateOf(token, shell.now()) === 'valid',
  );
  if (!taken) return name;
  return failure(EXIT.refused, 'token_name_taken', `There is a valid token named ${name}.`, {
    expected: 'another name',
    found: `token ${taken.id}`,
    next: `workcenter token revoke ${taken.id}`,
  });
}

async function add(app: App, input: Input): Promise<Outcome> {
  const { store, shell } = app;
  const name = await nameOf(app, input.args[1] ?? '');
  if (isFailure(name)) return name;
  const scopes = await scopesOf(input);
  if (isFailure(scopes)) return scopes;
  const expiresSec = durationOption(input, 'expires');
  if (isFailure(expiresSec)) return expiresSec;
  if (expiresSec !== undefined && expiresSec > LONGEST_SEC)
    return bad('So long a token lasts for ever.', 'at most 3650d, or no --expires', `${expiresSec} s`);
  const { addToken } = await tokens();
  const now = shell.now();
  const expiresAt = expiresSec === undefined ? null : now + expiresSec * 1_000;
  const authority = flagOption(input, 'agent') ? 'agent' : 'user';
  const { minted, record } = await addToken(store, { name, scopes, authority, expiresAt }, now);
  const word = authority === 'user' ? 'what it says counts as your word' : 'it speaks for an agent, never for you';
  if (!shell.json) shell.err(`Token ${record.id} (${scopes.join(', ')}; ${word}). It is shown this once:`);
  return answer(minted.token, { ...tokenJson(record, now), token: minted.token });
}

async function ls(app: App): Promise<Outcome> {
  const { listTokens } = await tokens();
  const found = await listTokens(app.store);
  const view = viewOf(app.shell);
  const text = found.length === 0 ? 'There are no tokens.' : tokenList(found, view).join('\n');
  return answer(text, { tokens: found.map((token) => tokenJson(token, view.now)) });
}

/** The token of an id, or the only one of a name that is not revoked yet. */
async function named(app: App, word: string): Promise<TokenRecord | Failure> {
  const { listTokens } = await tokens();
  const found = await listTokens(app.store);
  const [token] = found
    .filter(({ id, name }) => id === word || name === word)
    .toSorted((a, b) => Number(b.id === word) - Number(a.id === word) || (a.revokedAt ?? -1) - (b.revokedAt ?? -1));
  if (token) return token;
  return failure(EXIT.notFound, 'token_not_found', `There is no token ${word}.`, {
    expected: 'the id or the name of a token',
    found: word || 'nothing',
    next: 'workcenter token ls',
  });
}

async function revoke(app: App, input: Input): Promise<Outcome> {
  const token = await named(app, input.args[1] ?? '');
  if (isFailure(token)) return token;
  const { revokeToken } = await tokens();
  const now = app.shell.now();
  const revoked = (await revokeToken(app.store, token.id, now)) ?? token;
  return answer(`Token ${token.id} (${token.name}) is revoked, from the next request on.`, tokenJson(revoked, now));
}

const VERBS: Readonly<Record<string, (app: App, input: Input) => Promise<Outcome>>> = { add, ls, revoke };

export const token: CommandModule = {
  define: (parser) =>
    void parser
      .argument('[verb]', 'ls (default), add or revoke')
      .argument('[name]', 'add: what it is called; revoke: its id or name')
      .option('--scope <scope>', 'add: read (default), create, operate or admin; may be repeated', collect)
      .option('--agent', 'add: for an agent; what it says never counts as your word')
      .option('--expires <time>', 'add: how long it is valid, such as 12h or 30d; for ever unless said'),
  examples: [
    'workcenter token add phone --scope operate --expires 30d',
    'workcenter token add planner --scope create --agent',
    'workcenter token ls',
    'workcenter token revoke phone',
  ],
  userOnly: true,
  run: async (shell, input) => {
    const [verb = 'ls'] = input.args;
    const act = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
    if (act) return withApp(shell, (app) => act(app, input));
    return failure(EXIT.invalid, 'usage', 'Tokens are added, listed and revoked.', {
      expected: 'add NAME, ls or revoke ID',
      found: verb,
    });
  },
};
