/**
 * A stand-in for an engine that carries out one command and is killed with SIGKILL by `adopt.crash.test.ts`: either
 * while the command runs, or after it has ended and before anything of it is stored. Input: the job, as JSON.
 */
import { commandExecutor } from '../../src/executors/command/command-executor.ts';
import type { Job } from '../../src/executors/executor.ts';

const job: Job = JSON.parse(process.argv[2] ?? '');
// What keeps the process alive while nothing else does.
setInterval(() => {}, 60_000);
await commandExecutor().start(job, {
  onOutput: (_, text) => {
    process.stdout.write(text);
  },
  onSpawned: async () => {},
  putContent: async () => {
    process.stdout.write('storing\n');
    return new Promise(() => {});
  },
  signal: new AbortController().signal,
  now: () => 0,
  log: () => {},
}).ended;
