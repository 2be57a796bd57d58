import { seen } from './visible.ts';

/** Without the space around it; empty where nothing of it can be seen, so that it counts as not said. */
export const worded = (text: string): string => (seen(text).trim() === '' ? '' : text.trim());

const TITLE_CHARS = 80;

/** The first line of a goal that says something, cut to what fits a list. */
export function titleOf(goal: string): string {
  const line =
    goal
      .split('\n')
      .map(worded)
      .find((each) => each !== '') ?? '';
  return line.length > TITLE_CHARS ? `${line.slice(0, TITLE_CHARS - 1).trimEnd()}…` : line;
}
