import { useEffect, useEffectEvent } from 'react';
import { tinykeys } from 'tinykeys';

/** Keys of the page in the words of `tinykeys`; the list that people see is made of these. */
export const KEYS = {
  palette: '$mod+k',
  search: '/',
  new: 'n',
  board: 'g b',
  needsYou: 'g n',
  next: 'j',
  previous: 'k',
  help: '?',
  composer: 'm',
  approve: 'a',
  reject: 'r',
  openItem: 'e',
} as const;

export type ShortcutName = keyof typeof KEYS;

const typing = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** `tinykeys` waits as long for the second key of a sequence. */
const SEQUENCE_MS = 1_000;
let leaderAt = Number.NEGATIVE_INFINITY;

// `g n` goes somewhere; the `n` in it is not the key that begins new work.
window.addEventListener(
  'keydown',
  ({ key, timeStamp, target }) => {
    if (key === 'g' && !typing(target)) leaderAt = timeStamp;
  },
  { capture: true },
);

/** A key that is held down would answer what came under it meanwhile. */
const isHeldAnswer = (shortcut: ShortcutName, { repeat }: KeyboardEvent): boolean =>
  repeat && (shortcut === 'approve' || shortcut === 'reject');

const endsSequence = (keys: string, { timeStamp }: KeyboardEvent): boolean =>
  !keys.includes(' ') && timeStamp - leaderAt < SEQUENCE_MS;

/** Some keys do something while this part is on the page; not while somebody types, and not under an open dialog. */
export function useShortcuts(shortcuts: Partial<Record<ShortcutName, () => void>>): void {
  const press = useEffectEvent((name: ShortcutName) => shortcuts[name]?.());
  const names = Object.keys(shortcuts).join(' ');
  useEffect(() => {
    const bindings = (names === '' ? [] : names.split(' ')).map((name) => {
      const shortcut = name as ShortcutName;
      const heard = (event: KeyboardEvent): void => {
        const free = shortcut === 'palette' || !(typing(event.target) || document.querySelector('[role=dialog]'));
        if (!free || isHeldAnswer(shortcut, event) || endsSequence(KEYS[shortcut], event)) return;
        event.preventDefault();
        press(shortcut);
      };
      return [KEYS[shortcut] === '?' ? 'Shift+?' : KEYS[shortcut], heard] as const;
    });
    return tinykeys(window, Object.fromEntries(bindings));
  }, [names]);
}
