import { beforeEach, expect, it } from 'vitest';
import { newSessions, type Session, type Sessions } from '../../src/api/mcp/sessions.ts';

const IDLE_MS = 1_000;
let clock: number;
let closed: string[];
let sessions: Sessions<Session>;

beforeEach(() => {
  clock = 0;
  closed = [];
  sessions = newSessions({ max: 2, idleMs: IDLE_MS }, () => clock);
});

function open(id: string): Session {
  const session = { id, owner: 'me', close: () => void closed.push(id) };
  sessions.add(session);
  return session;
}

it('a session is found by its owner alone', () => {
  const mine = open('a');
  expect(sessions.find('a', 'me')).toBe(mine);
  expect(sessions.find('a', 'somebody else')).toBeUndefined();
  expect(sessions.find('b', 'me')).toBeUndefined();
});

it('a session without open requests ends after its time, one with an open request does not', () => {
  open('idle');
  const release = sessions.hold(open('busy'));
  clock = IDLE_MS;
  expect(sessions.find('idle', 'me')).toBeUndefined();
  expect(sessions.find('busy', 'me')).toBeDefined();
  release();
  clock += IDLE_MS - 1;
  expect(sessions.find('busy', 'me')).toBeDefined();
  clock += 1;
  expect(sessions.find('busy', 'me')).toBeUndefined();
  expect(closed).toEqual(['idle', 'busy']);
});

it('where all places are taken the longest idle session leaves, and nobody is let in while all are in use', () => {
  open('first');
  clock = 1;
  const release = sessions.hold(open('second'));
  expect(sessions.makeRoom()).toBe(true);
  expect(closed).toEqual(['first']);
  sessions.hold(open('third'));
  expect(sessions.makeRoom()).toBe(false);
  release();
  expect(sessions.makeRoom()).toBe(true);
  expect(sessions.all().map(({ id }) => id)).toEqual(['third']);
});

it('a session that was dropped takes no place and is not closed again', () => {
  sessions.hold(open('a'));
  sessions.hold(open('b'));
  sessions.drop('a');
  expect(sessions.makeRoom()).toBe(true);
  expect(closed).toEqual([]);
});
