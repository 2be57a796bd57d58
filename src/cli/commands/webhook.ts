import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Kept, Webhook, WebhookRefusal } from '../../webhooks/index.ts';
import { answer, type Failure, failure, isFailure, type Outcome } from '../answer.ts';
import { type App, viewOf, withApp } from '../app.ts';
import type { CommandModule } from '../command.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { argument, collect, type Input, listOption, textOption, wholeOption } from '../options.ts';
import { deliveryLines, webhookList } from '../render/webhooks.ts';

const webhooks = () => import('../../webhooks/index.ts');

const EXIT_OF: Readonly<Record<WebhookRefusal['code'], ExitCode>> = {
  webhook_not_found: EXIT.notFound,
  delivery_not_found: EXIT.notFound,
  invalid_webhook: EXIT.invalid,
  webhook_limit: EXIT.refused,
  idempotency_mismatch: EXIT.invalid,
};

const refused = ({ code, message, ...facts }: WebhookRefusal): Failure => failure(EXIT_OF[code], code, message, facts);

/** The webhook whose id begins like that. */
async function named(app: App, word: string): Promise<Kept<Webhook> | Failure> {
  const { findWebhook, isRefusal, listWebhooks } = await webhooks();
  const [found, ...others] =
    word === ''
      ? []
      : (await listWebhooks(app.store)).filter(({ id }) => id.startsWith(word) || id.slice(3).startsWith(word));
  if (found && others.length === 0) return found;
  const exact = await findWebhook(app.store, word);
  return isRefusal(exact) ? refused(exact) : exact;
}

/** The secret in a file, so that it is in no history of commands. */
async function secretIn({ shell }: App, path: string | undefined): Promise<string | undefined | Failure> {
  if (path === undefined) return undefined;
  const text = await readFile(resolve(shell.cwd, path), 'utf8').catch((error: NodeJS.ErrnoException) => error);
  if (typeof text === 'string') return text;
  return failure(EXIT.notFound, 'file_unreadable', 'The file of the secret cannot be read.', {
    expected: 'a file with whsec_ and base64',
    found: `${path}: ${text.code ?? text.message}`,
    next: 'Leave --secret-file out and a secret is made.',
  });
}

async function add(app: App, input: Input): Promise<Outcome> {
  const { addWebhook, isRefusal, webhookView } = await webhooks();
  const { store, shell } = app;
  const own = await secretIn(app, textOption(input, 'secretFile'));
  if (isFailure(own)) return own;
  const events = listOption(input, 'events').flatMap((text) => text.split(','));
  const wish = { url: argument(input, 1), events, ...(own === undefined ? {} : { secret: own }) };
  const added = await addWebhook(store, wish, shell.now());
  if (isRefusal(added)) return refused(added);
  const view = webhookView(added);
  const lines = [
    `${view.id} is told of ${view.events.join(', ')} from now on, while workcenter up runs.`,
    ...(own === undefined ? [`Secret, shown this once: ${added.value.secret}`] : []),
    ...(view.url.startsWith('http:') ? ['It goes over http: whoever is on the way can read it.'] : []),
    `Try it: workcenter webhook test ${view.id}`,
  ];
  return answer(lines.join('\n'), { ...view, ...(own === undefined ? { secret: added.value.secret } : {}) });
}

async function ls(app: App): Promise<Outcome> {
  const { listWebhooks, webhookView } = await webhooks();
  const found = (await listWebhooks(app.store)).map(webhookView);
  const text = found.length === 0 ? 'There are no webhooks.' : webhookList(found, viewOf(app.shell)).join('\n');
  return answer(text, { webhooks: found });
}

async function test(app: App, input: Input): Promise<Outcome> {
  const { deliveryView, isRefusal, sendOverHttp, testWebhook } = await webhooks();
  const webhook = await named(app, argument(input, 1));
  if (isFailure(webhook)) return webhook;
  const { now, version } = app.shell;
  const tried = await testWebhook(app.store, { send: sendOverHttp, now, version }, webhook.id);
  if (isRefusal(tried)) return refused(tried);
  const view = deliveryView(tried);
  const exit = view.state === 'delivered' ? EXIT.ok : EXIT.refused;
  return answer(deliveryLines(view, viewOf(app.shell)).join('\n'), view, exit);
}

async function log(app: App, input: Input): Promise<Outcome> {
  const { deliveryView, readLog } = await webhooks();
  const limit = wholeOption(input, 'limit', 1, 200) ?? 20;
  if (isFailure(limit)) return limit;
  const webhook = await named(app, argument(input, 1));
  if (isFailure(webhook)) return webhook;
  const { deliveries } = await readLog(app.store, webhook.id, { limit });
  const views = deliveries.map(deliveryView);
  const lines = views.flatMap((view) => deliveryLines(view, viewOf(app.shell)));
  return answer(lines.join('\n') || 'It was told nothing yet.', { id: webhook.id, deliveries: views });
}

async function retry(app: App, input: Input): Promise<Outcome> {
  const { deliveryView, isRefusal, ownerOfDelivery, redeliver } = await webhooks();
  const id = argument(input, 1);
  const owner = await ownerOfDelivery(app.store, id);
  if (isRefusal(owner)) return refused(owner);
  const again = await redeliver(app.store, owner.id, id, app.shell.now());
  if (isRefusal(again)) return refused(again);
  return answer(`${id} is sent again, while workcenter up runs.`, deliveryView(again));
}

async function enable(app: App, input: Input): Promise<Outcome> {
  const { enableWebhook, isRefusal, webhookView } = await webhooks();
  const webhook = await named(app, argument(input, 1));
  if (isFailure(webhook)) return webhook;
  const enabled = await enableWebhook(app.store, webhook.id);
  if (isRefusal(enabled)) return refused(enabled);
  return answer(`${webhook.id} goes on where it stopped.`, webhookView(enabled));
}

async function rm(app: App, input: Input): Promise<Outcome> {
  const { removeWebhook, webhookView } = await webhooks();
  const webhook = await named(app, argument(input, 1));
  if (isFailure(webhook)) return webhook;
  const gone = await removeWebhook(app.store, webhook.id);
  if (gone) return refused(gone);
  return answer(`${webhook.id} is told nothing more; its log is gone.`, webhookView(webhook));
}

const VERBS: Readonly<Record<string, (app: App, input: Input) => Promise<Outcome>>> = {
  ...{ ls, add, test, log, retry, enable, rm },
};

export const webhook: CommandModule = {
  define: (parser) =>
    void parser
      .argument('[verb]', 'ls (default), add, test, log, retry, enable or rm')
      .argument('[what]', 'add: the address; retry: a delivery; else a webhook, or the beginning of its id')
      .option(
        '--events <events>',
        'add: of what it is told, such as item.done,item.needs_you; all unless said',
        collect,
      )
      .option('--secret-file <path>', 'add: sign with the secret in this file; made unless said')
      .option('--limit <count>', 'log: so many of the newest, 1..200; 20 unless said'),
  examples: [
    'workcenter webhook add https://example.org/hooks/workcenter --events item.done,item.needs_you',
    'workcenter webhook test wh_3f',
    'workcenter webhook log wh_3f',
    'workcenter webhook rm wh_3f',
  ],
  userOnly: true,
  run: async (shell, input) => {
    const [verb = 'ls', what] = input.args;
    const act = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
    if (act && (verb === 'ls' || what !== undefined)) return withApp(shell, (app) => act(app, input));
    return failure(EXIT.invalid, 'usage', 'Webhooks are added, listed, tried out, looked after and removed.', {
      expected: 'add URL, ls, test ID, log ID, retry DELIVERY, enable ID or rm ID',
      found: input.args.join(' '),
    });
  },
};
