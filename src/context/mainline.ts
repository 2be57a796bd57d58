import { createHash } from 'node:crypto';
import { bytesOf, cutBytes } from './cut.ts';
import { type Cuts, descend } from './cuts.ts';
import { type Draft, newDraft, type Omission, textOf } from './draft.ts';
import type { MainlineInput } from './mainline-input.ts';
import { MAINLINE_LIMITS, type Prepared, prepare } from './prepare.ts';
import { RULES } from './prompts/rules.ts';
import { actionSection } from './sections/action.ts';
import { contractSection } from './sections/contract.ts';
import { journalSection } from './sections/journal.ts';
import { attachmentsSection, backgroundSection, guidanceSection, memorySection } from './sections/material.ts';
import { messagesSection } from './sections/messages.ts';
import { resultsSection } from './sections/results.ts';
import { resumeSection } from './sections/resume.ts';
import type { Section } from './sections/section.ts';

export type { Omission } from './draft.ts';

export type SectionName =
  | 'rules'
  | 'contract'
  | 'action'
  | 'results'
  | 'journal'
  | 'messages'
  | 'resume'
  | 'guidance'
  | 'background'
  | 'memory'
  | 'attachments'
  | 'omissions';

export interface SectionSize {
  readonly name: SectionName;
  readonly bytes: number;
  /** `reduced`: something of it was left out. `dropped`: nothing but a note at the end is left. */
  readonly level: 'full' | 'reduced' | 'dropped';
}

/** What an executor with a model is told about its Action, and what it is not. */
export interface Mainline {
  readonly text: string;
  /** UTF-8 bytes of the whole text, tags and headings included. */
  readonly bytes: number;
  /** SHA-256 of the text, in hex. */
  readonly hash: string;
  /** In the order of the text; absent ones had nothing to say. */
  readonly sections: readonly SectionSize[];
  readonly omitted: readonly Omission[];
}

export interface MainlineOptions {
  /** At most this much, 64 KiB by default. */
  readonly budgetBytes?: number;
  /** Of it, what the caller adds to the same request. */
  readonly reservedBytes?: number;
}

interface Written {
  readonly name: SectionName;
  readonly text: string;
  readonly omitted: readonly Omission[];
}

const SECTIONS: readonly (readonly [SectionName, Section])[] = Object.freeze([
  ['rules', () => ({ parts: ['# Rules', RULES], omitted: [] })],
  ['contract', contractSection],
  ['action', actionSection],
  ['results', resultsSection],
  ['journal', journalSection],
  ['messages', messagesSection],
  ['resume', resumeSection],
  ['guidance', guidanceSection],
  ['background', backgroundSection],
  ['memory', memorySection],
  ['attachments', attachmentsSection],
]);

/** Who stays when a budget is too small even for the last rung of the ladder. */
const PRIORITY: readonly SectionName[] = ['rules', 'action', 'messages', 'contract', 'resume', 'results', 'journal'];
const SEPARATOR = '\n\n';

/**
 * Renders the Mainline. Pure and deterministic: the same value gives the same bytes, and never more than the budget.
 * Nothing is left out while all fits; then the ladder of `cuts.ts` is descended. Never fails for size.
 */
export function renderMainline(given: MainlineInput, options: MainlineOptions = {}): Mainline {
  const budget = Math.max((options.budgetBytes ?? MAINLINE_LIMITS.budgetBytes) - (options.reservedBytes ?? 0), 0);
  const prepared = prepare(given);
  const cuts = descend(prepared.input, (tried) => sizeOf(write(prepared, tried)) <= budget);
  const written = write(prepared, cuts);
  const fitting = sizeOf(written) <= budget ? written : keepWhatFits(written, budget);
  return finished(fitting);
}

function write({ input, omitted }: Prepared, cuts: Cuts): Written[] {
  const drafts = SECTIONS.map(([name, section]) => written(name, section(input, cuts)));
  const all = [...omitted, ...drafts.flatMap((section) => section.omitted)];
  return [...drafts, { name: 'omissions', text: omissionsText(all, 8_192 >> cuts.squeeze), omitted }];
}

const written = (name: SectionName, draft: Draft): Written => ({ name, text: textOf(draft), omitted: draft.omitted });

function omissionsText(omitted: readonly Omission[], maxBytes: number): string {
  if (omitted.length === 0) return '';
  const draft = newDraft('Left out for lack of room');
  draft.parts.push(cutBytes(omitted.map(({ what, how }) => `- ${what}: ${how}`).join('\n'), maxBytes));
  return textOf(draft);
}

const shown = (sections: readonly Written[]): string[] => sections.flatMap(({ text }) => (text === '' ? [] : [text]));

const sizeOf = (sections: readonly Written[]): number => {
  const texts = shown(sections);
  return texts.reduce((sum, text) => sum + bytesOf(text), Math.max(texts.length - 1, 0) * SEPARATOR.length);
};

/** Whole sections by their priority; of the rules, what fits. */
function keepWhatFits(sections: readonly Written[], budget: number): Written[] {
  const kept = new Set<SectionName>();
  for (const name of PRIORITY) {
    const tried = sections.filter((section) => kept.has(section.name) || section.name === name);
    if (sizeOf(tried) <= budget) kept.add(name);
    else if (name === 'rules') break;
  }
  const how = 'the budget is too small for it';
  return sections.map(({ name, text, omitted }) => {
    if (kept.has(name)) return { name, text, omitted };
    const left: Omission[] =
      text === '' ? [...omitted] : [...omitted, { what: `the section ${name}`, why: 'size', how }];
    return { name, text: name === 'rules' ? cutBytes(text, budget) : '', omitted: left };
  });
}

function finished(sections: readonly Written[]): Mainline {
  const text = shown(sections).join(SEPARATOR);
  return {
    text,
    bytes: bytesOf(text),
    hash: createHash('sha256').update(text).digest('hex'),
    sections: sections.flatMap(sized),
    omitted: sections.flatMap(({ omitted }) => omitted),
  };
}

function sized({ name, text, omitted }: Written): SectionSize[] {
  if (text === '' && omitted.length === 0) return [];
  const level = omitted.length === 0 || name === 'omissions' ? 'full' : text === '' ? 'dropped' : 'reduced';
  return [{ name, bytes: bytesOf(text), level }];
}
