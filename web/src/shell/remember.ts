/**
 * Small choices of this browser: theme, language, where the divider stands. A browser that forbids storage forgets
 * them, and nothing else.
 */
type Choice = 'theme' | 'language' | 'divider' | 'directory' | 'token' | 'notify' | 'diffView' | 'diffSpace';

const key = (choice: Choice): string => `workcenter.${choice}`;

export function recall(choice: Choice): string | undefined {
  try {
    return localStorage.getItem(key(choice)) ?? undefined;
  } catch {
    return undefined;
  }
}

export function remember(choice: Choice, value: string): void {
  try {
    localStorage.setItem(key(choice), value);
  } catch {
    // Private windows and full disks: the choice holds until the page is closed.
  }
}

export function forget(choice: Choice): void {
  try {
    localStorage.removeItem(key(choice));
  } catch {
    // What cannot be stored was never there.
  }
}
