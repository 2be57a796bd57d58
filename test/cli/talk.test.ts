import { afterEach, describe, expect, test } from 'vitest';
import type { App } from '../../src/cli/app.ts';
import { meantBy } from '../../src/cli/commands/answer.ts';
import { takesVerdict } from '../../src/cli/commands/approve.ts';
import { itemPage } from '../../src/cli/item-page.ts';
import { costText } from '../../src/cli/render/cost.ts';
import { actionState } from '../../src/cli/render/item.ts';
import { liveFrame } from '../../src/cli/render/live.ts';
import { count, money } from '../../src/cli/render/money.ts';
import { PLAIN } from '../../src/cli/render/paint.ts';
import { requestLines } from '../../src/cli/render/requests.ts';
import { runText } from '../../src/cli/render/run.ts';
import { eventLine, newTelling } from '../../src/cli/render/timeline.ts';
import { addressed } from '../../src/cli/requests.ts';
import { talkOf } from '../../src/cli/talk.ts';
import { forecastOf } from '../../src/coordinator/forecast.ts';
import {
  CHOICES,
  type Decision,
  type HumanRequest,
  type ItemState,
  isRejection,
  sentenceOf,
} from '../../src/core/index.ts';
import { costOf } from '../../src/engine/on-demand/cost-of.ts';
import { openMemoryStore } from '../../src/store/memory/open-memory-store.ts';
import { criterion, ENFORCED } from '../core/builders.ts';
import {
  calls,
  coordinated,
  create,
  decideBody,
  decides,
  failsTurn,
  lostAs,
  opens,
  REJECTED,
  says,
  work,
} from '../core/coordinator.ts';
import { ENGINE, type Scenario, USER } from '../core/scenario.ts';
import { appOn, plainView, trimmed } from './support.ts';

const storyOf = (made: Scenario): readonly (string | undefined)[] => {
  const telling = newTelling();
  return made.events.map((event) => eventLine(event, telling, { now: made.now, paint: PLAIN })?.slice(10));
};

describe('the timeline of a coordinated item', () => {
  test('tells turns, messages and requests in plain sentences, and leaves out what only programs care about', () => {
    const made = coordinated();
    opens(made);
    calls(made, 'call-1');
    decides(made, [create(work('write'))], { reply: 'I begin.', reason: 'Nothing is there yet.' });
    made.start('write');
    says(made, 'Keep it short', 'write');
    calls(made, 'call-2', { actionId: 'write' });
    calls(made, 'call-3', { actionId: 'write', n: 2 }, REJECTED);
    says(made, 'How far are you?');
    opens(made);
    failsTurn(made);
    expect(storyOf(made).filter((line) => line !== undefined)).toMatchInlineSnapshot(`
      [
        "Created with 1 criterion; the Coordinator plans.",
        "Started.",
        "The Coordinator begins to decide, because facts are new.",
        "Coordinator, request 1: answered, 100 tokens, $0.30.",
        "The Coordinator commissioned write for ada: write. because write closes the open gap",
        "The Coordinator: create actions. “I begin.” Because: Nothing is there yet.",
        "write: Run #1 begins.",
        "write: works from base.",
        "m1 to write: Keep it short",
        "write, request 1: answered, 100 tokens, $0.30.",
        "write, request 2: not taken by the provider (overloaded), nothing charged. 529",
        "m2 to the Coordinator: How far are you?",
        "The Coordinator begins to decide, because somebody spoke.",
        "The Coordinator could not decide (invalid_decision): twice wrong. It tries again in 1.0 s.",
      ]
    `);
  });
});

describe('a turn that failed', () => {
  const lastLines = (made: Scenario) => storyOf(made).slice(-2);

  test('promises another try only where one follows: not before a hold, nor where a person is asked', () => {
    const made = coordinated();
    for (let times = 0; times < 3; times += 1) {
      made.later();
      opens(made);
      failsTurn(made);
    }
    expect(lastLines(made)).toEqual([
      'The Coordinator could not decide (invalid_decision): twice wrong.',
      'Held: The Coordinator failed 3 times in a row (invalid_decision): twice wrong',
    ]);
    const asking = coordinated();
    opens(asking);
    calls(asking, 'call-1', {}, lostAs());
    failsTurn(asking);
    expect(lastLines(asking)[0]).toBe('The Coordinator could not decide (invalid_decision): twice wrong.');
    expect(lastLines(asking)[1]).toMatch(/^r1 asks: The Coordinator's model request was sent/);
  });

  test('says its error with one full stop', () => {
    const made = coordinated();
    opens(made);
    failsTurn(made, { error: 'The provider refused it.' });
    expect(lastLines(made)[1]).toBe(
      'The Coordinator could not decide (invalid_decision): The provider refused it. It tries again in 1.0 s.',
    );
  });
});

describe('an Action that waits for leave (D16)', () => {
  const CALL = { tool: 'shell', call: 'git push', directory: '/repo', key: 'key-1', pattern: '' } as const;

  const asking = (...ids: readonly string[]): Scenario => {
    const made = coordinated();
    decides(made, [create(...ids.map((id) => work(id)))]);
    made.start(...ids);
    const ask = { type: 'AskApproval', fence: made.fence('a'), approval: CALL, risk: 'it acts outside' } as const;
    made.does(ask, { principal: ENGINE });
    return made;
  };
  const stateOf = ({ item, now }: Scenario): string => {
    const [action] = item.actions;
    return action ? actionState(action, item, [], now + 7_000) : '';
  };
  const frame = ({ item, now }: Scenario): string =>
    liveFrame(item, [], { ...plainView(now + 7_000), rows: 24, tails: new Map() }).join('\n');

  test('says so, and not that it runs', () => {
    const made = asking('a');
    expect(stateOf(made)).toBe('waits for your leave');
    expect(frame(made)).toMatch(/\? a +waits for your leave/);
    expect(sentenceOf(made.item)).toBe('0 of 1 proven. Waiting for you: a wants to use shell: git push. Allow it?');
  });

  test('waits for a slot once it has it, and runs again with that', () => {
    const made = asking('a');
    made.answer('tool_approval', 'approve');
    expect(stateOf(made)).toBe('waits for a free slot');
    expect(sentenceOf(made.item)).toBe('0 of 1 proven. Waiting for a free slot.');
    made.does({ type: 'WakeRun', fence: made.fence('a') }, { principal: ENGINE });
    expect(stateOf(made)).toBe('running 7.0 s');
    expect(sentenceOf(made.item)).toBe('0 of 1 proven. a is running.');
  });

  test('is told in the timeline in three lines of 80 columns, however long the call is', () => {
    const made = coordinated();
    decides(made, [create(work('a'))]);
    made.start('a');
    const approval = { ...CALL, call: 'npm run build && '.repeat(17) };
    made.does({ type: 'AskApproval', fence: made.fence('a'), approval, risk: '' }, { principal: ENGINE });
    const opened = made.events.find(({ body }) => body.type === 'RequestOpened');
    const view = { now: made.now, paint: PLAIN, columns: 80 };
    const lines = (opened && eventLine(opened, newTelling(), view))?.split('\n') ?? [];
    expect(lines).toHaveLength(3);
    expect(lines.at(-1)).toMatch(/…$/);
  });

  test('is not counted among those that run beside it', () => {
    expect(sentenceOf(asking('a', 'b').item)).toMatch(/^0 of 1 proven\. b is running\. Waiting for you: a wants/);
  });
});

describe('a request', () => {
  const request = (more: Partial<HumanRequest>): HumanRequest => ({
    id: 'r1',
    kind: 'question',
    subject: { kind: 'idle' },
    question: 'Which one?',
    details: [],
    choices: CHOICES.idle,
    openedAt: 0,
    ...more,
  });
  const item = (...requests: readonly HumanRequest[]): ItemState => ({ ...coordinated().item, id: 'k3v9', requests });

  test('may be answered by the number of a suggestion', () => {
    const asked = request({ options: ['Postgres', 'SQLite'] });
    expect(meantBy(asked, ['#2'])).toEqual({ choice: 'text', text: 'SQLite' });
    expect(meantBy(asked, ['#3'])).toMatchObject({ type: 'failure', code: 'choice_not_offered', found: '#3' });
    expect(meantBy(asked, ['#2', 'please'])).toEqual({ choice: 'text', text: '#2 please' });
    expect(requestLines(item(asked), asked, plainView(0)).join('\n')).toContain('#2  SQLite');
  });

  test('for leave shows all of the call, folded and not cut, with nothing hidden in it', () => {
    const call = { actionId: 'a', generation: 1, tool: 'shell', directory: '/r', key: 'k', pattern: '' } as const;
    const about = (line: string, whole?: string): readonly string[] => {
      const subject = {
        kind: 'tool_approval',
        ...call,
        call: line,
        ...(whole === undefined ? {} : { whole }),
      } as const;
      const asked = request({ subject, choices: CHOICES.tool_approval, question: `a wants: ${line}` });
      return requestLines(item(asked), asked, plainView(0, 60)).map((text) => text.trim());
    };
    const shown = (lines: readonly string[]) =>
      lines.filter((line) => line.startsWith('┃')).map((line) => line.slice(2));
    const long = `tail ${'x'.repeat(150)}; rm -rf /`;
    const whole = `git tag v1\n  echo \u202esafe\u202c\n${long}`;
    expect(shown(about('git tag v1 (and 2 more lines)', whole)).join('')).toBe(
      `git tag v1  echo [U+202E]safe[U+202C]${long}`,
    );
    expect(shown(about('git tag v1', 'git tag v1'))).toEqual([]);
    expect(about('git tag v1').join('\n')).toContain('it may go on');
  });

  test('takes its choices with a hyphen as well', () => {
    const asked = request({
      subject: { kind: 'operation_unknown', operationId: 'o' },
      choices: CHOICES.operation_unknown,
    });
    expect(meantBy(asked, ['not-applied'])).toEqual({ choice: 'not_applied', text: '' });
  });

  test('needs no name while it is the only one that fits', () => {
    const [first, second] = [request({}), request({ id: 'r2', choices: CHOICES.contract_proposal })];
    expect(addressed(item(first), ['yes', 'please'])).toEqual({ request: first, words: ['yes', 'please'] });
    expect(addressed(item(first, second), ['r2', 'x'])).toEqual({ request: second, words: ['x'] });
    expect(addressed(item(first, second), ['yes'])).toMatchObject({
      code: 'request_ambiguous',
      expected: 'the id of one: r1, r2',
    });
    expect(addressed(item(first, second), [], takesVerdict)).toEqual({ request: second, words: [] });
    expect(addressed(item(first), [], takesVerdict)).toMatchObject({ exit: 4, found: 'r1 idle' });
    expect(addressed(item(first), ['r9'])).toMatchObject({ exit: 4, expected: 'one of: r1' });
  });

  test.each(Object.entries(CHOICES))('about %s says what each of its answers does', (kind, choices) => {
    const asked = request({ choices });
    const lines = requestLines(item(asked), asked, plainView(0, 400)).join('\n');
    for (const choice of choices) if (choice !== 'text') expect(lines, kind).toContain(`${choice}: `);
  });
});

const ITEM = 'item-1';
let app: App;

afterEach(() => app?.store.close());

/** A coordinated item in a store, brought there by the commands of a person and an engine. */
async function inStore(story: (made: Scenario) => void): Promise<ItemState> {
  const made = coordinated({ criteria: [criterion('c1'), criterion('c2')] });
  const store = openMemoryStore({ now: () => made.now });
  app = appOn(store, { now: () => made.now });
  const create = made.events[0]?.body;
  if (create?.type !== 'ItemCreated') throw new Error('not created');
  const does = made.does.bind(made);
  const pending: Promise<unknown>[] = [];
  const say = (body: Parameters<typeof does>[0], principal = USER): void => {
    pending.push(
      store.execute({ itemId: ITEM, principal, body }).then((result) => {
        if (isRejection(result)) throw new Error(`${body.type}: ${result.message}`);
      }),
    );
  };
  const { type: _type, ...born } = create;
  say({ type: 'CreateItem', ...born, start: true });
  made.does = (body, around = {}) => {
    say(body, around.principal ?? USER);
    return does(body, around);
  };
  story(made);
  for (const each of pending) await each;
  const state = await store.load(ITEM);
  if (!state) throw new Error('no item');
  return state;
}

const proposal = (made: Scenario): Decision => {
  const { contract } = made.item;
  const [first, second] = contract.criteria;
  if (!first || !second) throw new Error('no criteria');
  const criteria = [first, { ...second, text: 'c2 holds on Windows too' }];
  return { kind: 'propose_contract', contract: { ...contract, criteria } };
};

describe('the page of a coordinated item', () => {
  test('shows a proposal as the lines that would change, the decisions and the conversation', async () => {
    const state = await inStore((made) => {
      says(made, 'It must hold on Windows too');
      opens(made);
      decides(made, [proposal(made)], { reply: 'Shall I add that?', reason: 'A person asked for it.' });
    });
    const { text, json } = await itemPage(app, state, plainView(app.shell.now()));
    expect(text).toContain('- ' + '    text: c2 holds');
    expect(text).toContain('+ ' + '    text: c2 holds on Windows too');
    expect(text).toContain(`workcenter approve ${ITEM} r1 | workcenter reject ${ITEM} r1`);
    expect(trimmed(text).slice(text.indexOf('Decisions'))).toMatchInlineSnapshot(`
      "Decisions
        propose contract now
          A person asked for it.

      Conversation
        you now
          It must hold on Windows too
        Coordinator now
          Shall I add that?

      Cost
        0 ms of Runs"
    `);
    expect(json).toMatchObject({
      plan: 'coordinated',
      conversation: [
        { author: 'person', targetKind: 'coordinator', delivery: 'delivered' },
        { author: 'coordinator', text: 'Shall I add that?' },
      ],
      decisions: [{ kinds: ['propose_contract'], reason: 'A person asked for it.' }],
    });
  });

  test('tells words that nobody has heard yet, and shows hostile ones as text', async () => {
    const state = await inStore((made) => says(made, 'a\u001b[31mred\u202e\nsecond line'));
    const { text } = await itemPage(app, state, plainView(app.shell.now()));
    expect(trimmed(text)).toContain('you now  queued\n    ared\n    second line');
    expect(text).not.toContain('\u001b');
  });

  test('fits one screen while it moves, with the last words and the money so far', async () => {
    const state = await inStore((made) => {
      opens(made);
      calls(made, 'call-1');
      decides(made, [create(work('write'))], { reply: 'I begin.' });
    });
    const { entries } = await talkOf(app, state);
    const view = { ...plainView(app.shell.now()), rows: 24, tails: new Map<string, string>(), entries };
    const frame = liveFrame(state, [], view);
    expect(frame.join('\n')).toContain('Coordinator  I begin.');
    expect(frame.join('\n')).toContain('$0.30');
    expect(frame.length).toBeLessThanOrEqual(23);
  });
});

describe('the cost of an item (D26)', () => {
  const story = (made: Scenario): void => {
    opens(made);
    calls(made, 'call-1');
    decides(made, [create(work('write'))]);
    made.start('write');
    calls(made, 'call-2', { actionId: 'write' });
    calls(made, 'call-3', { actionId: 'write', n: 2, estimate: { tokens: 50, costMicros: null } }, lostAs());
  };

  test('is told by who used it, with what is only an estimate', async () => {
    const state = await inStore(story);
    const rows = await app.store.calls(ITEM);
    const cost = costOf(state, rows, []);
    expect(cost.total).toMatchObject({ requests: 3, costMicros: 900_000, input: 160, output: 40, uncertain: 1 });
    expect(cost.byWho.map(({ name, requests }) => [name, requests])).toEqual([
      ['write', 2],
      ['coordinator', 1],
    ]);
    expect(cost.total.costMicros).toBe(state.usage.costMicros);
    const text = costText(cost, state.usage, forecastOf([], state.contract), { columns: 100, paint: PLAIN });
    expect(trimmed(text)).toMatchInlineSnapshot(`
      "Used
        requests      3 of 1000
        tokens        300 of 20.00M
        money         $0.90, no limit
        time of Runs  0 ms, 10m 00s reserved, no limit
        each Run      at most 200 requests; each Action at most 3 attempts

      By whom
                       cost  requests  input  output  cached  to cache  reasoning
        write         $0.60         2     80      20       0         0          0
        coordinator   $0.30         1     80      20       0         0          0
        all           $0.90         3    160      40       0         0          0

      By model
        scripted/one

      Forecast
        75.0k…1.00M, most likely 250k tokens · 15…188 requests · 3m 45s…1h 15m of Runs (a rough guess:
        nothing like it has been finished here yet)

      So far
        $0.90 · 300 tokens · 3 requests · 0 ms of Runs

      To be read with it
        1 request whose end nobody knows: charged at the estimate."
    `);
  });

  test('never shows an unpriced request as nothing', async () => {
    const state = await inStore((made) => {
      opens(made);
      const answer = { as: 'responded', responseHash: 'h', tokens: null, stop: 'end' } as const;
      calls(made, 'call-1', {}, { ...answer, charge: { tokens: 10, costMicros: null } });
      made.does(decideBody(made, [create(work('write'))]), { principal: ENGINE });
    });
    const cost = costOf(state, await app.store.calls(ITEM), []);
    const text = costText(cost, state.usage, forecastOf([], state.contract), { columns: 100, paint: PLAIN });
    expect(text).toContain('unpriced');
    expect(text).toContain('1 request of models without a price');
    expect((await itemPage(app, state, plainView(0))).json).toMatchObject({ cost: { money: 'unpriced', unpriced: 1 } });
  });

  test('has as many digits as say something', () => {
    expect([0, 42, 4_200, 94_000, 95_000, 1_250_000].map(money)).toEqual([
      '$0',
      '<$0.0001',
      '$0.0042',
      '$0.0940',
      '$0.10',
      '$1.25',
    ]);
    expect([0, 999, 1_000, 99_949, 99_950, 999_499, 999_500, 2_410_000].map(count)).toEqual([
      '0',
      '999',
      '1.0k',
      '99.9k',
      '100k',
      '999k',
      '1.00M',
      '2.41M',
    ]);
  });
});

describe('one Run', () => {
  test('is shown with the manifest of what ran and each of its requests', async () => {
    const agent = {
      vp: 'ada',
      vpHash: 'f'.repeat(64),
      model: 'scripted/one',
      effort: 'high',
      tools: ['read', 'write'],
      policyHash: 'a'.repeat(64),
      systemHash: 'b'.repeat(64),
      contextHash: 'c'.repeat(64),
      omitted: ['memory'],
      contractVersion: 1,
    };
    await inStore((made) => {
      opens(made);
      decides(made, [create(work('write'))]);
      made.claim('write');
      const fence = made.fence('write');
      made.does({ type: 'Dispatch', fence, base: 'base', enforcement: ENFORCED, agent }, { principal: ENGINE });
      calls(made, 'call-1', { actionId: 'write' });
    });
    const [run] = await app.store.runs(ITEM);
    if (!run) throw new Error('no run');
    const rows = await app.store.calls(ITEM, { ownerId: run.runId });
    expect(trimmed(runText(run, rows, plainView(app.shell.now())))).toMatchInlineSnapshot(`
      "write #1  run-1
        status     running, since now
        generation 1
        from       base
        sandbox    bubblewrap
        cost       $0.30, 1 request, 100 tokens
        VP         ada (ffffffffffff)
        model      scripted/one, effort high
        tools      read, write
        told       system bbbbbbbbbbbb, context cccccccccccc
        rules      aaaaaaaaaaaa
        contract   version 1
        left out   memory

      Model requests
        #1  responded  80 in, 20 out  $0.30"
    `);
  });
});
