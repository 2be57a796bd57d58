import type { CommandModule } from './command.ts';

export interface CatalogEntry {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<CommandModule>;
}

const entry = (name: string, summary: string, load: CatalogEntry['load']): CatalogEntry => ({ name, summary, load });

/** Every command, in the order of the help. Names and summaries only: the rest is loaded on demand. */
export const CATALOG: readonly CatalogEntry[] = Object.freeze([
  entry('demo', 'see it work, without a key or an account', async () => (await import('./commands/demo.ts')).demo),
  entry('new', 'state a goal; the Coordinator plans it', async () => (await import('./commands/new.ts')).newCommand),
  entry('init', 'write a plan of commands for this project', async () => (await import('./commands/init.ts')).init),
  entry('run', 'carry a plan; needs no model', async () => (await import('./commands/run.ts')).run),
  entry('up', 'serve the page, carry everything that is open', async () => (await import('./commands/up.ts')).up),
  entry('mcp', 'serve coding agents over MCP', async () => (await import('./commands/mcp.ts')).mcp),
  entry('ls', 'list items', async () => (await import('./commands/ls.ts')).ls),
  entry('show', 'one item: what needs you, what is proven', async () => (await import('./commands/show.ts')).show),
  entry('watch', 'follow an item live', async () => (await import('./commands/watch.ts')).watch),
  entry('log', 'what happened, in plain words', async () => (await import('./commands/log.ts')).log),
  entry('output', 'what a Run printed', async () => (await import('./commands/output.ts')).output),
  entry('diff', 'what changed', async () => (await import('./commands/diff.ts')).diff),
  entry('evidence', 'the receipts', async () => (await import('./commands/evidence.ts')).evidence),
  entry('say', 'say something to the Coordinator or an Action', async () => (await import('./commands/say.ts')).say),
  entry('cost', 'limits, and who used what', async () => (await import('./commands/cost.ts')).cost),
  entry('answer', 'answer what you were asked', async () => (await import('./commands/answer.ts')).answerCommand),
  entry('approve', 'allow a call, confirm a proposal', async () => (await import('./commands/approve.ts')).approve),
  entry('reject', 'refuse a call or a proposal', async () => (await import('./commands/approve.ts')).reject),
  entry(
    'operation',
    'effects outside: list, settle unknown ones',
    async () => (await import('./commands/operation.ts')).operation,
  ),
  entry('retry', 'run an Action again', async () => (await import('./commands/retry.ts')).retry),
  entry('redirect', 'restart an Action with guidance', async () => (await import('./commands/redirect.ts')).redirect),
  entry('close', 'step over an Action', async () => (await import('./commands/close.ts')).close),
  entry('edit', 'change the contract', async () => (await import('./commands/edit.ts')).edit),
  entry('land', 'try a blocked delivery again', async () => (await import('./commands/land.ts')).land),
  entry('start', 'start a draft', async () => (await import('./commands/start.ts')).start),
  entry('stop', 'stop an item, keeping its work', async () => (await import('./commands/stop.ts')).stop),
  entry('reopen', 'take up a cancelled item again', async () => (await import('./commands/reopen.ts')).reopen),
  entry(
    'extend',
    'add money, tokens, requests, time or attempts',
    async () => (await import('./commands/extend.ts')).extend,
  ),
  entry('resume', 'end a hold', async () => (await import('./commands/resume.ts')).resume),
  entry('vp', 'who can carry out Actions', async () => (await import('./commands/vp.ts')).vp),
  entry('models', 'providers, keys, tags and prices', async () => (await import('./commands/models.ts')).models),
  entry('token', 'who may speak to it over HTTP', async () => (await import('./commands/token.ts')).token),
  entry('webhook', 'who is told of what happens', async () => (await import('./commands/webhook.ts')).webhook),
  entry('gc', 'list or remove what is no longer needed', async () => (await import('./commands/gc.ts')).gc),
  entry('doctor', 'check this machine and the store', async () => (await import('./commands/doctor.ts')).doctor),
  entry('backup', 'copy the store while work goes on', async () => (await import('./commands/backup.ts')).backup),
  entry('settings', 'read or change settings', async () => (await import('./commands/settings.ts')).settings),
]);
