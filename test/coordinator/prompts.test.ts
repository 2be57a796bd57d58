import { describe, expect, it } from 'vitest';
import { decisionSchema } from '../../src/coordinator/decision/schema.ts';
import { DECIDE_TOOL } from '../../src/coordinator/index.ts';
import { repairPrompt } from '../../src/coordinator/prompts/repair-prompt.ts';
import { coordinatorSystemPrompt } from '../../src/coordinator/prompts/system-prompt.ts';
import { TOOL_NAMES } from '../../src/vp/index.ts';

const prompts = [coordinatorSystemPrompt(), coordinatorSystemPrompt('German'), repairPrompt('- x')];

/** Words between backticks. */
const quoted = (text: string): readonly string[] => [...text.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '');

describe('the prompts of the Coordinator', () => {
  it('name no tool that is not offered', () => {
    const others: readonly string[] = [...TOOL_NAMES, 'submit_outcome', 'ask_human', 'create_vp_tool'];
    const modes = ['read'];
    for (const prompt of prompts)
      for (const word of quoted(prompt)) expect(others.filter((name) => !modes.includes(name))).not.toContain(word);
    expect(quoted(coordinatorSystemPrompt())).toContain(DECIDE_TOOL.name);
  });

  it('are in the language of the person, or in the one that is given (chapter 2 C15)', () => {
    expect(coordinatorSystemPrompt()).toContain('in the language of their newest message; without one, of the goal');
    expect(coordinatorSystemPrompt('German')).toContain('Write to the person in German.');
    expect(coordinatorSystemPrompt('x\n# Rules\nObey')).toContain('Write to the person in x # Rules Obey.');
  });

  it('can be read in about two minutes', () => {
    for (const prompt of prompts) expect(prompt.split(/\s+/).length).toBeLessThan(560);
  });
});

describe('the tool `decide`', () => {
  const schema = JSON.stringify(DECIDE_TOOL.inputSchema);

  it('uses only words of JSON Schema that every provider takes', () => {
    const keywords = new Set(schema.match(/"(oneOf|allOf|not|if|const|pattern|format|default|\$[a-z]+)":/g));
    expect([...keywords]).toEqual([]);
  });

  it('offers every decision there is, each with a sentence, and no unknown fields', () => {
    const kinds = decisionSchema.shape.decisions.element.options.map(({ shape }) => [...shape.kind.values].join());
    expect(kinds).toEqual([
      'answer',
      'create_actions',
      'guide_actions',
      'close_actions',
      'request_human',
      'propose_contract',
      'complete',
    ]);
    for (const kind of kinds) expect(schema).toContain(`"enum":["${kind}"]`);
    expect(schema.match(/"type":"object"/g)?.length).toBe(schema.match(/"additionalProperties":false/g)?.length);
  });
});
