/** What a person may do to an Action. */
export type Change = 'redirect' | 'retry' | 'close';

/** The same with the words that go with it. */
export interface Said {
  readonly change: Change;
  readonly text: string;
  readonly cascade: boolean;
}
