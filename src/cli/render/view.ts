import type { Paint } from './paint.ts';

/** What a page needs besides the state. */
export interface View {
  readonly now: number;
  readonly columns: number;
  readonly paint: Paint;
}
