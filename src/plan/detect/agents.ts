export interface DetectedAgent {
  readonly name: string;
  /** Program and arguments before the prompt, which is the last argument. */
  readonly command: readonly string[];
}

/** Agent command lines we know how to start without a terminal, in the order in which one is proposed. */
const AGENTS: readonly DetectedAgent[] = [
  { name: 'claude', command: ['claude', '-p'] },
  { name: 'codex', command: ['codex', 'exec'] },
  { name: 'opencode', command: ['opencode', 'run'] },
  { name: 'gemini', command: ['gemini', '-p'] },
  { name: 'qwen', command: ['qwen', '-p'] },
  { name: 'aider', command: ['aider', '--yes', '--message'] },
  { name: 'goose', command: ['goose', 'run', '--text'] },
];

/** Agents that are installed; `which` gives the path of a program, or undefined. */
export const detectAgents = (which: (program: string) => string | undefined): readonly DetectedAgent[] =>
  AGENTS.filter(({ name }) => which(name) !== undefined);
