import css from './mark.module.css';

/** What a state means to a person; colour is never alone: each has a shape of its own. */
export type Tone = 'proven' | 'working' | 'needs' | 'failed' | 'unknown' | 'held' | 'quiet';

const TONES: Readonly<Record<string, Tone>> = {
  draft: 'quiet',
  deciding: 'working',
  ready: 'quiet',
  running: 'working',
  active: 'working',
  waiting: 'needs',
  needs_attention: 'needs',
  needs_you: 'needs',
  held: 'held',
  cancelling: 'held',
  cancelled: 'held',
  done: 'proven',
  completed: 'proven',
  failed: 'failed',
  retryable: 'failed',
  interrupted: 'unknown',
  unknown: 'unknown',
  closed: 'held',
  superseded: 'held',
};

export const toneOf = (status: string): Tone => TONES[status] ?? 'quiet';

interface Props {
  readonly tone: Tone;
  readonly children: string;
}

/** A state in a shape, a colour and a word. */
export function Mark({ tone, children }: Props) {
  return <span className={`${css.mark} ${css[tone]}`}>{children}</span>;
}
