import { expect, test } from 'vitest';
import { openEngine } from '../../src/engine/index.ts';
import { aliveOf, complaints, openRig, type Rig, until } from '../support/rig.ts';
import { note } from '../support/scenario.ts';
import { submitPlan } from '../support/submit-plan.ts';

/** Forks twice, leaves the session and ignores every polite request. */
const STUBBORN = `setsid sh -c 'trap "" TERM HUP INT; sleep 987654 & sleep 987654' >/dev/null 2>&1 &`;

interface Parts {
  readonly setup?: string;
  readonly run?: string;
  readonly check?: string;
}

/** JSON strings are YAML strings. */
const plan = ({ setup = 'true', run = 'echo hello > a.txt', check = 'grep -q hello a.txt' }: Parts): string => `
goal: change a file
setup: { run: ${JSON.stringify(setup)}, inputs: [a.txt] }
criteria:
  - { text: a says hello, check: { run: ${JSON.stringify(check)} } }
actions:
  - { id: fix-a, run: ${JSON.stringify(run)}, for: [c1] }
`;

const hang = (rig: Rig): string => `${STUBBORN} ${note(rig, 'hanging')}; trap "" TERM; sleep 987654`;

test.each([
  ['preparing, in its set-up', (rig: Rig) => plan({ setup: hang(rig) })],
  ['running', (rig: Rig) => plan({ run: hang(rig) })],
  ['being checked', (rig: Rig) => plan({ check: hang(rig) })],
] as const)(
  'an item that is stopped while its Action is %s is cancelled, and none of its processes lives on (D13)',
  async (_, planOf) => {
    const rig = await openRig();
    const world = await rig.world();
    const person = await rig.world();
    const item = await submitPlan(person, planOf(rig), rig.repo);
    const engine = openEngine(world);
    await engine.start();
    await until('a process hangs', async () => (await rig.noted()).includes('hanging'));
    expect(await aliveOf(person.store)).toBeGreaterThan(2);
    // From another connection, as another process would.
    const stop = { type: 'StopItem', reason: 'enough' } as const;
    const stopped = await person.store.execute({
      itemId: item.id,
      principal: { kind: 'user', name: 'test' },
      body: stop,
    });
    expect('state' in stopped && stopped.state.lifecycle).toBe('cancelled');
    await until('all of them are gone', async () => (await aliveOf(person.store)) === 0, 20_000);
    await engine.stop();
    expect(await person.store.liveRuns()).toEqual([]);
    expect(await person.store.processes()).toEqual([]);
    expect(await complaints(person.store)).toEqual([]);
    expect(await rig.close()).toBe(0);
  },
);
