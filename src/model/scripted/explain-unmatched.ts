import type { ScriptedRequest } from './scripted-request.ts';
import { textOf } from './transcript.ts';

const SHOWN_OF_SYSTEM = 200;
const SHOWN_OF_CONVERSATION = 400;
const SHOWN_STEPS = 30;

/** What a person needs to see to write the step that is missing. */
export function explainUnmatched(scenario: string, request: ScriptedRequest, reasons: readonly string[]): string {
  const conversation = textOf(request.messages);
  const cut = conversation.length > SHOWN_OF_CONVERSATION ? '…' : '';
  const more = reasons.length > SHOWN_STEPS ? [`  and ${reasons.length - SHOWN_STEPS} more`] : [];
  return [
    `No step of the scenario "${scenario}" matches this request.`,
    `Asks: ${request.system.slice(0, SHOWN_OF_SYSTEM) || 'no system prompt'}`,
    `Tools: ${request.tools.join(', ') || 'none'}`,
    `Model: ${request.model}, protocol: ${request.protocol}, turn: ${request.turn}`,
    `The conversation ends: ${cut}${conversation.slice(-SHOWN_OF_CONVERSATION)}`,
    'What each step wanted:',
    ...reasons.slice(0, SHOWN_STEPS).map((reason) => `  ${reason}`),
    ...more,
  ].join('\n');
}
