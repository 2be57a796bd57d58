import type { CompiledScenario, CompiledStep, CompiledWhen } from './compiled-scenario.ts';
import type { ScriptedRequest } from './scripted-request.ts';
import { textOf } from './transcript.ts';

export type StepMatch =
  | { readonly ok: true; readonly index: number; readonly step: CompiledStep; readonly groups: Groups }
  /** One line for each step: why it did not match. */
  | { readonly ok: false; readonly reasons: readonly string[] };

export type Groups = Readonly<Record<string, string>>;

/** The groups of what was found, or the first pattern that was not. */
type Search = { readonly groups: Groups } | { readonly miss: string };

function search(name: string, patterns: readonly RegExp[], text: string): Search {
  const groups: Record<string, string> = {};
  for (const pattern of patterns) {
    const found = pattern.exec(text);
    if (found === null) return { miss: `${name} ${pattern}` };
    for (const [key, value] of Object.entries(found.groups ?? {})) if (value !== undefined) groups[key] = value;
  }
  return { groups };
}

/** Why the plain conditions do not hold; undefined when they do. */
function plainMiss(when: CompiledWhen, request: ScriptedRequest, used: number): string | undefined {
  if (used >= when.times) return `used up after ${used}`;
  if (when.protocol !== undefined && when.protocol !== request.protocol) return `protocol ${when.protocol}`;
  if (when.turn !== undefined && when.turn !== request.turn) return `turn ${when.turn}`;
  const lacking = when.tools.find((tool) => !request.tools.includes(tool));
  if (lacking !== undefined) return `tools ${lacking}`;
  const offered = when.lacksTools.find((tool) => request.tools.includes(tool));
  return offered === undefined ? undefined : `lacksTools ${offered}`;
}

function searchAll(when: CompiledWhen, request: ScriptedRequest, transcript: string): Search {
  const searches = [
    search('model', when.model, request.model),
    search('asks', when.asks, request.system),
    search('conversation', when.conversation, transcript),
    search('says', when.says, request.said),
  ];
  const miss = searches.find((one) => 'miss' in one);
  if (miss !== undefined) return miss;
  return { groups: Object.assign({}, ...searches.map((one) => ('groups' in one ? one.groups : {}))) };
}

/** The first step that matches. `used` holds how many requests each step has answered. */
export function matchStep(scenario: CompiledScenario, request: ScriptedRequest, used: readonly number[]): StepMatch {
  const transcript = textOf(request.messages);
  const reasons: string[] = [];
  for (const [index, step] of scenario.steps.entries()) {
    const plain = plainMiss(step.when, request, used[index] ?? 0);
    const found: Search = plain === undefined ? searchAll(step.when, request, transcript) : { miss: plain };
    if ('groups' in found) return { ok: true, index, step, groups: found.groups };
    reasons.push(`${step.name}: ${found.miss}`);
  }
  return { ok: false, reasons };
}
