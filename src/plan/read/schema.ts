/**
 * The plan file: what a person may write (D4). One source for three things: validation, the published JSON Schema that
 * editors use, and the types of `compile.ts`. The file is long because its descriptions are the hover texts of editors.
 */
import { z } from 'zod';
import { ACTION_LIMITS } from '../../core/model/action.ts';
import { CONTRACT_LIMITS, MIN_PROOFS } from '../../core/model/contract.ts';
import { DEFAULT_LIMITS } from '../../core/model/item.ts';
import { LIMIT_MAX } from '../../core/rules/contract-rules.ts';
import { checkExecutor, EXECUTOR_KEYWORDS, isMapping } from './executor-rules.ts';
import { duration, environment, identifier, oneOf, oneOrMany, text, whole } from './fields.ts';

/** Types of Action worth suggesting; any other slug is accepted. */
const ACTION_TYPES = Object.freeze([
  'task',
  'research',
  'design',
  'diagnose',
  'implement',
  'migrate',
  'test',
  'review',
  'integrate',
  'document',
  'operate',
  'deliver',
  'write',
  'custom',
]);

export const PLAN_DEFAULTS = Object.freeze({
  type: 'task',
  actionTimeoutSec: 3_600,
  silenceSec: 600,
  attempts: 3,
  setupTimeoutSec: 1_800,
  checkTimeoutSec: 600,
});

const DOLLARS_MAX = 1_000_000;

const network = oneOf(['none', 'loopback', 'all']);

const sandbox = z
  .strictObject(
    {
      network: network
        .optional()
        .describe(
          'What the work may reach. `all` by default for `run`, as agents need their provider; `loopback` for `vp`, whose model is called from outside.',
        ),
      readable: oneOrMany('a path')
        .optional()
        .describe('Absolute or ~/ paths outside the workspace that it may read besides the system and its tools.'),
      writable: oneOrMany('a path')
        .optional()
        .describe('Absolute or ~/ paths outside the workspace that it may change.'),
    },
    { error: 'a mapping with network, readable or writable' },
  )
  .describe(
    'What a command, or a command of a VP, may reach where a sandbox is available; the Run says what was really enforced.',
  );

const setup = z
  .union(
    [
      text('a command'),
      z.strictObject(
        {
          run: text('a command').describe('Shell command, run at the top of a clean checkout.'),
          inputs: oneOrMany('a path inside the project')
            .optional()
            .describe(
              'Files that decide whether an earlier result may be reused. By default the manifests and lock files of the tools that `run` names.',
            ),
          network: network.optional().describe('`all` by default: installing needs it.'),
          timeoutSec: duration(1, CONTRACT_LIMITS.checkTimeoutMaxSec)
            .optional()
            .describe(`Seconds, or such as 15m. Default ${PLAN_DEFAULTS.setupTimeoutSec}.`),
        },
        { error: 'a command, or a mapping with run' },
      ),
    ],
    { error: 'a command, or a mapping with run' },
  )
  .describe(
    'What must run before checks and Actions, installing dependencies for instance. Only files that it adds to the project directory are kept; the result is cached by the content of `inputs`.',
  );

const check = z
  .union(
    [
      text('a command'),
      z.strictObject(
        {
          run: text('a command').describe('Shell command that the engine runs in a clean checkout of the result.'),
          cwd: text('a path inside the project').optional().describe('Directory to run in, relative to the project.'),
          env: environment().optional().describe('Environment variables besides the allow-listed ones.'),
          timeoutSec: duration(1, CONTRACT_LIMITS.checkTimeoutMaxSec)
            .optional()
            .describe(`Seconds, or such as 15m; at most 1h. Default ${PLAN_DEFAULTS.checkTimeoutSec}.`),
          expectExit: whole(0, 255).optional().describe('Exit code that passes. Default 0.'),
          expectOutput: text('a regular expression')
            .optional()
            .describe('Regular expression (multi-line) that the output must match as well.'),
          protect: oneOrMany('a glob inside the project')
            .optional()
            .describe('Globs that are put back to their state before the work, so that the tests cannot be bent.'),
          network: network.optional().describe('`loopback` by default.'),
        },
        { error: 'a command, or a mapping with run' },
      ),
    ],
    { error: 'a command, or a mapping with run' },
  )
  .describe('Command that proves the criterion. The engine runs it itself, before the work and after it.');

const criterion = z.union(
  [
    text('a sentence to prove', CONTRACT_LIMITS.criterionChars),
    z.strictObject(
      {
        id: identifier(32).optional().describe('Stable name, used in `for`. By default c1, c2 … by position.'),
        text: text('a sentence to prove', CONTRACT_LIMITS.criterionChars).describe(
          'What must be true at the end, as a sentence.',
        ),
        check: check.optional(),
        minProof: oneOf(MIN_PROOFS)
          .optional()
          .describe(
            'Weakest proof that counts. `machine` where there is a check, else `self`. `independent`: another executor than the one who wrote it. `machine-protected`: a check with `protect`.',
          ),
      },
      { error: 'a sentence, or a mapping with text' },
    ),
  ],
  { error: 'a sentence, or a mapping with text' },
);

const delivery = z
  .union(
    [
      oneOf(['response', 'workspace_files', 'pull_request', 'merge']),
      z.strictObject(
        {
          target: oneOf(['response', 'workspace_files', 'pull_request', 'merge']).describe('Where the result goes.'),
          branch: text('the name of a branch')
            .optional()
            .describe('Branch that it goes into. The one that is checked out by default.'),
        },
        { error: 'a mapping with target' },
      ),
    ],
    { error: 'response, workspace_files, pull_request or merge, or a mapping with target' },
  )
  .describe(
    '`response`: the answer in words. `workspace_files` (default): files, published as a branch of their own. `pull_request`: the same, then pushed to the remote and opened as a pull request. `merge`: the same, then landed on a branch.',
  );

const policy = oneOf(['isolated', 'in-place']);

const workspace = z
  .union(
    [
      policy,
      z.strictObject(
        {
          policy: policy.optional().describe('`isolated` in a git repository, else `in-place`.'),
          dirty: oneOf(['refuse', 'snapshot', 'in-place'])
            .optional()
            .describe(
              'What to do where there are uncommitted changes: refuse (default), start from a private snapshot of them, or work in the directory itself.',
            ),
        },
        { error: 'a mapping with policy or dirty' },
      ),
    ],
    { error: 'isolated or in-place, or a mapping with policy' },
  )
  .describe('Whether Actions work in clones of their own (`isolated`) or in the directory itself (`in-place`).');

const dollarRange = `0.01..${DOLLARS_MAX}`;
const dollars = z.number({ error: dollarRange }).min(0.01, dollarRange).max(DOLLARS_MAX, dollarRange);

const budget = z
  .strictObject(
    {
      wallClock: duration(1, 31_536_000)
        .optional()
        .describe('Sum of the time that Runs may take: seconds, or such as 2h. None by default.'),
      attempts: whole(1, ACTION_LIMITS.maxAttempts)
        .optional()
        .describe(`Attempts per Action. Default ${PLAN_DEFAULTS.attempts}.`),
      requests: whole(1, LIMIT_MAX)
        .optional()
        .describe(`Model requests of all VPs together. Default ${DEFAULT_LIMITS.requests}, or what the settings say.`),
      runRequests: whole(1, LIMIT_MAX)
        .optional()
        .describe(`Model requests of one Run. Default ${DEFAULT_LIMITS.runRequests}, or what the settings say.`),
      tokens: whole(1, LIMIT_MAX * 1_000)
        .optional()
        .describe(
          `Tokens of all VPs together, cache reads by their price. Default ${DEFAULT_LIMITS.tokens}, or what the settings say.`,
        ),
      usd: dollars.optional().describe('US dollars that the models of all VPs may cost. None by default.'),
      allowUnmetered: z
        .boolean({ error: 'true or false' })
        .optional()
        .describe('Whether Actions with `run`, which report no cost, may run under a limit of money.'),
    },
    { error: 'a mapping of limits such as wallClock, attempts, tokens or usd' },
  )
  .describe('Limits; when one is reached, work is held until a person extends it.');

const brief = z
  .union(
    [
      text('an objective'),
      z.strictObject(
        {
          objective: text('an objective').describe('What to achieve.'),
          approach: text('an approach').optional().describe('How to go about it.'),
          expectedOutcome: text('an expected outcome').optional().describe('What must be there at the end.'),
        },
        { error: 'an objective, or a mapping with objective' },
      ),
    ],
    { error: 'an objective, or a mapping with objective' },
  )
  .describe(
    'What the Action is to do, in words; required for a VP, which is told it with goal, criteria and earlier results. A command finds the same in the file that WORKCENTER_BRIEF names, and on its standard input.',
  );

const run = z
  .union(
    [
      text('a command'),
      z
        .array(z.string({ error: 'an argument' }), { error: 'a list of arguments' })
        .min(1, 'a program and its arguments')
        .max(256, 'at most 256 arguments'),
    ],
    { error: 'a command, or a list of a program and its arguments' },
  )
  .describe(
    [
      'A shell line, or a list of a program and its arguments that no shell reads.',
      'The command finds in its environment: WORKCENTER_BRIEF (path of the brief, which is also on standard input),',
      'WORKCENTER_OUTCOME (path where it may write its outcome as JSON), WORKCENTER_RUN, WORKCENTER_ITEM,',
      'WORKCENTER_ACTION and WORKCENTER_ATTEMPT. Without an outcome file, exit 0 completes the Action and passes the',
      'criteria it is `for`; exit 78 fails it for good; anything else is tried again.',
    ].join(' '),
  );

const vp = identifier(64).describe(
  'The VP that carries it out with the built-in agent, instead of `run`: `reviewer`, `implementer` or one of your own; `workcenter vp ls` lists them.',
);

const model = z
  .string({ error: 'fast, balanced, ultimate or provider/model' })
  .regex(/^(fast|balanced|ultimate|[^\s/]+\/\S+)$/, 'fast, balanced, ultimate or provider/model')
  .max(200, 'at most 200 characters')
  .describe('Model of the VP for this Action: a tag, or a reference. By default what the VP or the settings say.');

const action = z
  .strictObject(
    {
      id: identifier(64).optional().describe('Name used in `dependsOn`. By default made of `name`, else a1, a2 …'),
      name: text('a name', 200).optional().describe('What people read. The id by default.'),
      type: z
        .string({ error: 'a type such as implement or review' })
        .regex(/^[a-z][a-z0-9_-]{0,63}$/, 'lower-case letters, digits, - and _, at most 64')
        .meta({ examples: [...ACTION_TYPES] })
        .optional()
        .describe(`Kind of work: ${ACTION_TYPES.join(', ')}, or a word of your own. Default task.`),
      brief: brief.optional(),
      run: run.optional(),
      vp: vp.optional(),
      model: model.optional(),
      identity: text('a name', 64)
        .optional()
        .describe(
          'Whose work this is when independence is judged. By default the program that `run` starts, `claude` for example.',
        ),
      dependsOn: oneOrMany('the id of an Action', ACTION_LIMITS.perItem)
        .optional()
        .describe('Actions that must be completed, and their results merged, before this one starts. None by default.'),
      for: oneOrMany('the id of a criterion')
        .optional()
        .describe(
          'Criteria this Action is for. Without a check, its success is what proves them; with one, the engine runs it before it believes the Action. The only Action of a plan is for every criterion with a check unless it says otherwise.',
        ),
      workspace: oneOf(['read', 'shared', 'isolated-write', 'integrate'])
        .optional()
        .describe(
          '`isolated-write`: a clone of its own, merged when completed (default). `shared`: the one clone of the item, one Action at a time (default in place). `read`: a read-only view. `integrate`: resolves a merge conflict of the Actions it depends on.',
        ),
      maxAttempts: whole(1, ACTION_LIMITS.maxAttempts)
        .optional()
        .describe('How often it may be tried. `budget.attempts` by default.'),
      timeoutSec: duration(1, ACTION_LIMITS.timeoutMaxSec)
        .optional()
        .describe(`Seconds, or such as 30m; at most a day. Default ${PLAN_DEFAULTS.actionTimeoutSec}.`),
      silenceSec: duration(0, ACTION_LIMITS.timeoutMaxSec)
        .optional()
        .describe(`No output for this long ends the Run; 0 never. Default ${PLAN_DEFAULTS.silenceSec}.`),
      effects: oneOf(['none', 'external'])
        .optional()
        .describe('`external`: it changes something outside the workspace, so it is never repeated by itself.'),
      env: environment().optional().describe('Environment variables besides the allow-listed ones.'),
      sandbox: sandbox.optional(),
    },
    { error: 'a mapping with run or vp' },
  )
  .superRefine(checkExecutor, { when: ({ value }) => isMapping(value) })
  .meta(EXECUTOR_KEYWORDS);

export const planSchema = z.strictObject(
  {
    $schema: text('the address of a schema').optional().describe('For editors; not used otherwise.'),
    title: text('a title', CONTRACT_LIMITS.titleChars)
      .optional()
      .describe('Label in lists. The first line of the goal by default.'),
    goal: text('a text that says what is to be achieved', CONTRACT_LIMITS.goalChars).describe(
      'What is to be achieved.',
    ),
    instructions: text('instructions')
      .optional()
      .describe('Rules that every Action is given: style, what to leave alone, whom to ask.'),
    setup: setup.optional(),
    criteria: z
      .array(criterion, { error: 'a list of sentences to prove' })
      .min(1, `1..${CONTRACT_LIMITS.criteriaMax} criteria`)
      .max(CONTRACT_LIMITS.criteriaMax, `1..${CONTRACT_LIMITS.criteriaMax} criteria`)
      .describe(
        'How you will know that the goal is met. Each needs a check, or an Action that is `for` it. Nothing is done before all are proven.',
      ),
    delivery: delivery.optional(),
    workspace: workspace.optional(),
    budget: budget.optional(),
    order: oneOf(['graph', 'linear'])
      .optional()
      .describe(
        '`graph` (default): Actions start as soon as what they depend on is done. `linear`: each waits for the one above, unless it says its own `dependsOn`.',
      ),
    sandbox: sandbox.optional().describe('Defaults for all Actions; what an Action says itself replaces them.'),
    actions: z
      .array(action, { error: 'a list of Actions' })
      .min(1, `1..${ACTION_LIMITS.perItem} Actions`)
      .max(ACTION_LIMITS.perItem, `1..${ACTION_LIMITS.perItem} Actions`)
      .describe('The work. Independent Actions run at the same time.'),
  },
  { error: 'a mapping with goal, criteria and actions' },
);

export type PlanDocument = z.output<typeof planSchema>;
export type ActionEntry = PlanDocument['actions'][number];
export type CriterionEntry = PlanDocument['criteria'][number];

const { $schema, ...body } = z.toJSONSchema(planSchema, { io: 'input', target: 'draft-2020-12' });

/** The published schema, JSON Schema draft 2020-12. `npm run schema` writes it to schemas/plan.json. */
export const planJsonSchema = Object.freeze({
  $schema: $schema ?? 'https://json-schema.org/draft/2020-12/schema',
  $id: 'urn:workcenter:schema:plan',
  title: 'Work Center plan',
  description: 'A goal, how it is proven, and the Actions that achieve it.',
  ...body,
});
