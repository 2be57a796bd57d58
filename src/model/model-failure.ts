/** Why no model could be used. There is never another one in its place: whoever asked decides. */
export interface ModelFailure {
  readonly kind: 'failed';
  readonly code: 'unknown_provider' | 'unknown_tag' | 'model_missing' | 'key_missing';
  /** What was expected, in words for people. Never holds a key. */
  readonly expected: string;
  readonly found: string;
  /** What to do next. */
  readonly next: string;
}

export function modelFailure(code: ModelFailure['code'], expected: string, found: string, next: string): ModelFailure {
  return { kind: 'failed', code, expected, found, next };
}
