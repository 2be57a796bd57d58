export interface DetectedAgent {
  readonly name: string;
  /** Program and arguments before the prompt, which is the last argument. */
  readonly command: readonly string[];
  /** Where its login and settings lie, beneath the home directory, which is otherwise hidden from it. */
  readonly writable: readonly string[];
}

/** Agent command lines we know how to start without a terminal, in the order in which one is proposed. */
const AGENTS: readonly DetectedAgent[] = [
  { name: 'claude', command: ['claude', '-p'], writable: ['~/.claude', '~/.claude.json'] },
  { name: 'codex', command: ['codex', 'exec'], writable: ['~/.codex'] },
  {
    name: 'opencode',
    command: ['opencode', 'run'],
    writable: ['~/.config/opencode', '~/.local/share/opencode', '~/.local/state/opencode'],
  },
  { name: 'gemini', command: ['gemini', '-p'], writable: ['~/.gemini'] },
  { name: 'qwen', command: ['qwen', '-p'], writable: ['~/.qwen'] },
  { name: 'aider', command: ['aider', '--yes', '--message'], writable: ['~/.aider.conf.yml'] },
  { name: 'goose', command: ['goose', 'run', '--text'], writable: ['~/.config/goose'] },
];

/** Agents that are installed; `which` gives the path of a program, or undefined. */
export const detectAgents = (which: (program: string) => string | undefined): readonly DetectedAgent[] =>
  AGENTS.filter(({ name }) => which(name) !== undefined);
