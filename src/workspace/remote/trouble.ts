/** Why a remote could not be asked or told. `passing`: the network, or a server that is unwell; worth another try. */
export interface RemoteTrouble {
  readonly kind: 'trouble';
  readonly passing: boolean;
  /** What git said, on one or more lines. */
  readonly reason: string;
}

/** Sentences of git, curl and ssh for what passes; nobody else's words for it reach us. */
const PASSING = [
  /could not resolve (?:host|proxy)|temporary failure in name resolution/i,
  /failed to connect|could ?n[o']t connect|connection (?:refused|reset|timed out|closed)|operation timed out/i,
  /network is unreachable|no route to host|broken pipe/i,
  /early eof|unexpected disconnect|the remote end hung up unexpectedly|rpc failed/i,
  /the requested url returned error: (?:429|5\d\d)/i,
];

/** These beat all others: a server that turns us away may close the connection as well. */
const LASTING = [
  /authentication failed|permission denied|access denied|could not read (?:username|password)/i,
  /repository not found|does not appear to be a git repository|host key verification failed/i,
];

export const troubleOf = (stderr: string): RemoteTrouble => ({
  kind: 'trouble',
  passing: PASSING.some((said) => said.test(stderr)) && !LASTING.some((said) => said.test(stderr)),
  reason: stderr.trim() || 'git gave no reason',
});

/**
 * Repeats what met passing trouble, after each of the pauses; the last answer counts. The pauses are given, and end
 * early with `signal`.
 */
export async function patiently<T>(
  work: () => Promise<T>,
  options: {
    readonly isPassing: (answer: T) => boolean;
    readonly pausesMs: readonly number[];
    readonly pause: (ms: number) => Promise<void>;
    readonly signal?: AbortSignal;
  },
): Promise<T> {
  const { isPassing, pausesMs, pause, signal } = options;
  let answer = await work();
  for (const ms of pausesMs) {
    if (!isPassing(answer) || signal?.aborted) return answer;
    await pause(ms);
    if (signal?.aborted) return answer;
    answer = await work();
  }
  return answer;
}
