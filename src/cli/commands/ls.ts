import type { ListQuery } from '../../store/store.ts';
import { answer, failure, isFailure, type Outcome } from '../answer.ts';
import { type App, withApp } from '../app.ts';
import type { CommandModule } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { choiceOption, flagOption, type Input, textOption, wholeOption } from '../options.ts';
import { listJson, listText } from '../render/list.ts';

const LANES = ['needs_you', 'active', 'done', 'draft'] as const;
type Lane = (typeof LANES)[number];

const PAGE = 50;

/** Without a lane: everything that is not over, what needs a person first. */
async function openItems(app: App, query: Omit<ListQuery, 'lane'>) {
  const pages = [];
  for (const lane of ['needs_you', 'active', 'draft'] as const) pages.push(await app.store.list({ ...query, lane }));
  const [first] = pages;
  const counts = first?.counts ?? { needs_you: 0, active: 0, done: 0, draft: 0 };
  return { items: pages.flatMap((page) => page.items).slice(0, query.limit), counts };
}

async function list(app: App, input: Input): Promise<Outcome> {
  const lane = choiceOption<Lane>(input, 'lane', LANES);
  if (isFailure(lane)) return lane;
  const limit = wholeOption(input, 'limit', 1, 500);
  if (isFailure(limit)) return limit;
  const search = textOption(input, 'search');
  const cursor = textOption(input, 'cursor');
  const query = {
    limit: limit ?? PAGE,
    ...(search === undefined ? {} : { search }),
    ...(cursor === undefined ? {} : { cursor }),
  };
  const everything = flagOption(input, 'all') || lane !== undefined || search !== undefined || cursor !== undefined;
  try {
    const page = everything
      ? await app.store.list({ ...query, ...(lane === undefined ? {} : { lane }) })
      : await openItems(app, query);
    const { now, columns, paint } = app.shell;
    return answer(listText(page, { now: now(), columns, paint, filtered: everything }), listJson(page));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return failure(EXIT.invalid, 'invalid_option', '--cursor cannot be used.', {
      expected: 'the cursor of the page before',
      found: cursor ?? '',
    });
  }
}

export const ls: CommandModule = {
  define: (command) =>
    void command
      .option('--lane <lane>', `only one lane: ${LANES.join(', ')}`)
      .option('--search <words>', 'in title and goal')
      .option('--all', 'also what is done or cancelled')
      .option('--limit <count>', `at most so many, ${PAGE} by default`)
      .option('--cursor <cursor>', 'the next page'),
  examples: ['workcenter ls', 'workcenter ls --lane needs_you', 'workcenter ls --search idempotency --json'],
  userOnly: false,
  remote: () => true,
  run: (shell, input) => withApp(shell, (app) => list(app, input)),
};
