import { join } from 'node:path';
import { type DetectedAgent, detectAgents } from './agents.ts';
import { detectCargo, detectDotnet, detectGo, detectGradle, detectMake, detectMaven } from './compiled.ts';
import { detectNode } from './node.ts';
import type { DetectedCheck, DetectedSetup, Detection, Ecosystem, ProjectFiles } from './project.ts';
import { detectPython } from './python.ts';

/** How detection looks at a machine. Paths are absolute. None of these may throw. */
export interface DetectContext {
  readonly directory: string;
  /** Whether there is a file or directory. */
  readonly exists: (path: string) => boolean;
  /** Content of a file, or undefined where it cannot be read. */
  readonly readText: (path: string) => string | undefined;
  /** Path of a program on PATH, or undefined. */
  readonly which: (program: string) => string | undefined;
  /** Names at the top of the project; needed only for solutions, whose files have no fixed name. */
  readonly list?: (directory: string) => readonly string[];
}

/** What was found; nothing in it was run. */
export interface DetectedProject {
  /** The first that was recognised; set-up and checks are those of all. */
  readonly ecosystem: Ecosystem;
  readonly setup?: DetectedSetup;
  readonly checks: readonly DetectedCheck[];
  readonly agents: readonly DetectedAgent[];
}

const DETECTORS: readonly ((files: ProjectFiles) => Detection | undefined)[] = [
  detectNode,
  detectCargo,
  detectGo,
  detectPython,
  detectMaven,
  detectGradle,
  detectDotnet,
];

function filesOf(context: DetectContext): ProjectFiles {
  const names = context.list?.(context.directory) ?? [];
  return {
    has: (path) =>
      path.startsWith('*')
        ? names.some((name) => name.endsWith(path.slice(1)))
        : context.exists(join(context.directory, path)),
    read: (path) => context.readText(join(context.directory, path)) ?? '',
  };
}

function joinSetups(found: readonly Detection[]): DetectedSetup | undefined {
  const setups = found.flatMap(({ setup }) => setup ?? []);
  if (setups.length === 0) return undefined;
  const inputs = new Set(setups.flatMap(({ inputs }) => inputs));
  return { run: setups.map(({ run }) => run).join(' && '), inputs: [...inputs] };
}

/** Finds set-up, checks and agents of a project from its files and the PATH (product, "First minute"). */
export function detectProject(context: DetectContext): DetectedProject {
  const files = filesOf(context);
  const known = DETECTORS.flatMap((detect) => detect(files) ?? []);
  const checked = known.some(({ checks }) => checks.length > 0);
  // A Makefile usually wraps the commands found above, so it speaks only where they found nothing.
  const found = checked ? known : [...known, ...[detectMake(files)].flatMap((made) => made ?? [])];
  const setup = joinSetups(found);
  return {
    ecosystem: found[0]?.ecosystem ?? 'unknown',
    ...(setup ? { setup } : {}),
    checks: found.flatMap(({ checks }) => checks),
    agents: detectAgents(context.which),
  };
}
