import type { ToolAnswer, ToolCall } from '../../../model/index.ts';
import {
  type Called,
  callTool,
  noteRefusal,
  type ReadyCall,
  readyCall,
  type Stop,
  standsBeside,
  type ToolKit,
} from './call-tool.ts';
import type { ProgressWatch } from './no-progress.ts';

/** Reading calls that stand together run side by side (E6). */
const PARALLEL = 4;

/** What a batch of calls came to: an answer for every call, so that the pairing stays valid whatever happened. */
export interface Batch {
  readonly answers: readonly ToolAnswer[];
  readonly stop?: Stop;
  readonly reminders: readonly string[];
}

const isReady = (value: ReadyCall | Called): value is ReadyCall => 'tool' in value;

const skipped = ({ id, name }: ToolCall): ToolAnswer => ({
  callId: id,
  name,
  text: 'Not carried out: an earlier call of this batch ended the Run.',
  isError: true,
});

/** Carries out calls in their order; a call that writes is alone, and one that ends the Run ends the batch. */
export async function runBatch(calls: readonly ToolCall[], kit: ToolKit, watch: ProgressWatch): Promise<Batch> {
  const answers: ToolAnswer[] = [];
  const reminders: string[] = [];
  let at = 0;
  while (at < calls.length) {
    const group = nextGroup(calls.slice(at), kit);
    const called = await Promise.all(group.map((one) => (isReady(one) ? callTool(one, kit) : noteRefusal(one, kit))));
    let stop: Stop | undefined;
    for (const [index, one] of called.entries()) {
      answers.push(one.answer);
      const call = calls[at + index];
      const progress = call ? watch.note(call, one.answer.text, one.wrote) : { kind: 'fine' as const };
      if (progress.kind === 'remind') reminders.push(progress.words);
      stop ??= one.stop;
      if (progress.kind === 'stop') stop ??= { kind: 'failed', code: 'no_progress', error: progress.reason };
    }
    at += group.length;
    if (stop) return { answers: [...answers, ...calls.slice(at).map(skipped)], stop, reminders };
    kit.context.signal.throwIfAborted();
  }
  return { answers, reminders };
}

/** Leading calls that only read, up to four; else the first call alone: one person is asked one thing at a time. */
function nextGroup(calls: readonly ToolCall[], kit: ToolKit): readonly (ReadyCall | Called)[] {
  const group: (ReadyCall | Called)[] = [];
  for (const call of calls.slice(0, PARALLEL)) {
    const one = readyCall(call, kit);
    const beside = isReady(one) && standsBeside(one, kit);
    if (group.length > 0 && !beside) break;
    group.push(one);
    if (!beside) break;
  }
  return group;
}
