import { stringify } from 'yaml';
import type { DetectedAgent } from './agents.ts';
import type { DetectedProject } from './detect-project.ts';
import type { DetectedCheck, DetectedSetup } from './project.ts';

const DEFAULT_GOAL = 'Say here, in a sentence or two, what is to be achieved.';
const NO_CHECK = 'Say here, in one sentence, how you will know that the goal is met';

/** A text as one YAML scalar on one line, quoted only where it has to be. */
function scalar(text: string): string {
  const oneLine = /[\n\r]/.test(text) ? JSON.stringify(text) : stringify(text, { lineWidth: 0 }).trimEnd();
  return oneLine.includes('\n') ? JSON.stringify(text) : oneLine;
}

function setupLines(setup: DetectedSetup | undefined): readonly string[] {
  if (!setup) return ['# setup: npm ci        # what must run before checks and Actions; nothing was found'];
  return [
    '# Runs before checks and Actions. Its result is reused as long as the inputs are the same.',
    'setup:',
    `  run: ${scalar(setup.run)}`,
    `  inputs: [${setup.inputs.map((path) => scalar(path)).join(', ')}]`,
  ];
}

function checkLines({ text, run, network }: DetectedCheck): readonly string[] {
  const title = `  - text: ${scalar(text)}`;
  if (network === undefined) return [title, `    check: ${scalar(run)}`];
  return [title, '    check:', `      run: ${scalar(run)}`, `      network: ${network}   # it loads its dependencies`];
}

function criteriaLines(checks: readonly DetectedCheck[]): readonly string[] {
  const lines =
    checks.length > 0
      ? checks.flatMap(checkLines)
      : [`  - text: ${scalar(NO_CHECK)}`, '    # check: make test     # better than a claim: a command that proves it'];
  return [
    '# How you will know. The engine runs each check itself, before the work and after it; nothing is done before all pass.',
    '# `protect: [test/**]` beneath a check puts those files back first, so that the tests cannot be bent.',
    'criteria:',
    ...lines,
  ];
}

function runLines(agent: DetectedAgent | undefined): readonly string[] {
  if (agent) {
    return [
      '    # Its flags decide what it may do without asking; nobody answers while it works. See docs/agents.md.',
      `    run: ${agent.command.join(' ')} "$(cat "$WORKCENTER_BRIEF")"`,
      '    # Its login and settings. The rest of your home directory is hidden from it.',
      `    sandbox: { writable: [${agent.writable.map((path) => scalar(path)).join(', ')}] }`,
    ];
  }
  return [
    '    # No agent was found. Any command will do that reads the file WORKCENTER_BRIEF and changes the files around it.',
    '    run: |',
    '      echo "This Action has no command yet: edit its run: in the plan, then start it again." >&2',
    '      exit 78   # fails for good, so that nothing pretends to have worked',
  ];
}

function actionLines(detected: DetectedProject): readonly string[] {
  const others = detected.agents.slice(1).map(({ name }) => name);
  return [
    `# The work. Independent Actions run at the same time, each in a clone of its own.${others.length > 0 ? ` Also found: ${others.join(', ')}.` : ''}`,
    'actions:',
    '  - id: work',
    '    name: Do the work',
    '    type: implement',
    '    brief:',
    '      objective: Reach the goal with the smallest correct change, and cover it with tests.',
    '      # approach: Where to begin, what to leave alone.',
    ...(detected.checks.length > 0 ? [] : ['    for: [c1]']),
    ...runLines(detected.agents[0]),
    '    timeoutSec: 1h',
    '  # - id: docs',
    '  #   dependsOn: [work]',
    '  #   run: ./scripts/update-docs.sh',
  ];
}

/**
 * A commented plan for a project, to be edited. It compiles as it is; where no agent was found its only Action fails,
 * for good and with an explanation.
 */
export function planTemplate(detected: DetectedProject, options: { readonly goal?: string } = {}): string {
  const goal = options.goal?.trim() || DEFAULT_GOAL;
  const blocks: readonly (readonly string[])[] = [
    ['# A Work Center plan. Start it with: workcenter run plan.yaml'],
    [`goal: ${scalar(goal)}`],
    setupLines(detected.setup),
    criteriaLines(detected.checks),
    [
      '# Where the result goes: workspace_files (a branch of its own, your checkout untouched), merge, or response.',
      'delivery: workspace_files',
    ],
    ['budget:', '  wallClock: 4h     # sum over all Runs; then work is held and you are asked', '  attempts: 3'],
    actionLines(detected),
  ];
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}
