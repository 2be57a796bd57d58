import css from './kbd.module.css';

const MAC = /mac|iphone|ipad/i.test(navigator.userAgent);

/** `mod` is ⌘ or Ctrl, by the machine. */
export const keyName = (key: string): string => (key === 'mod' ? (MAC ? '⌘' : 'Ctrl') : key.toUpperCase());

/** A key, for those who have a keyboard. */
export function Kbd({ keys }: { readonly keys: string }) {
  return (
    <span className={css.kbd} aria-hidden="true">
      {keys
        .split('+')
        .map(keyName)
        .join(MAC ? '' : '+')}
    </span>
  );
}
