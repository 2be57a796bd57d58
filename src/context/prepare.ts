import { MESSAGE_LIMITS } from '../core/model/conversation.ts';
import { redact } from '../text/redact.ts';
import { cutBytes } from './cut.ts';
import { ASK, type Omission } from './draft.ts';
import { failureText, hidePaths } from './failure-text.ts';
import type { GuidanceView, MainlineInput, Redaction, ResumeView } from './mainline-input.ts';
import { visible } from './untrusted.ts';

/** Bounds that hold however much room there is. */
export const MAINLINE_LIMITS = Object.freeze({
  budgetBytes: 65_536,
  quoteBytes: MESSAGE_LIMITS.quoteBytes,
  guidanceBytes: 32 * 1024,
  memory: 12,
  journal: 128,
  attachments: 100,
});

export interface Prepared {
  readonly input: MainlineInput;
  readonly omitted: readonly Omission[];
}

/**
 * Redacts what machines and models wrote, keeps the fixed bounds, and makes every text visible and unable to close a
 * tag: done to the whole value, so that no section can forget it. What a person wrote is not redacted.
 */
export function prepare(given: MainlineInput): Prepared {
  const omitted: Omission[] = [];
  const newest = <T>(list: readonly T[], most: number, what: string): readonly T[] => {
    const over = list.length - most;
    if (over > 0) omitted.push({ what: `${over} older of the ${what}`, why: 'limit', how: ASK });
    return over > 0 ? list.slice(over) : list;
  };
  const { redaction } = given;
  const clean = (text: string) => redact(text, redaction.secrets);
  const input = mapStrings<MainlineInput>(
    {
      ...given,
      contract: { ...given.contract, criteria: given.contract.criteria.map((it) => cleanEvidence(it, redaction)) },
      results: given.results.map((result) => cleanResult(result, redaction)),
      journal: newest(given.journal, MAINLINE_LIMITS.journal, 'other Actions').map((entry) => ({
        ...entry,
        summary: failureText(entry.summary, redaction),
      })),
      messages: given.messages.map((message) => boundQuote(message, clean)),
      ...(given.resume ? { resume: cleanResume(given.resume, redaction) } : {}),
      background: newest(given.background, backgroundFit(given.background), 'background messages')
        .map(boundMessage)
        .map(({ role, text }) => ({ role, text: clean(text) })),
      memory: newest(given.memory, MAINLINE_LIMITS.memory, 'results of earlier work').map((entry) => ({
        ...entry,
        title: clean(entry.title),
        summary: clean(entry.summary),
      })),
      attachments: newest(given.attachments, MAINLINE_LIMITS.attachments, 'attachments'),
      projectGuidance: given.projectGuidance.map((file) => ({ ...file, text: clean(file.text) })),
    },
    visible,
  );
  return { input: { ...input, projectGuidance: boundGuidance(input.projectGuidance) }, omitted };
}

/** The same value with every text in it changed. */
function mapStrings<T>(value: T, change: (text: string) => string): T;
function mapStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((entry: unknown) => mapStrings(entry, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]: [string, unknown]) => [key, mapStrings(entry, change)]),
  );
}

type Of<K extends 'results' | 'messages'> = MainlineInput[K][number];
type Criterion = MainlineInput['contract']['criteria'][number];

const cleanEvidence = (criterion: Criterion, redaction: Redaction): Criterion =>
  criterion.evidence === undefined ? criterion : { ...criterion, evidence: failureText(criterion.evidence, redaction) };

/** The words of a Run that failed are diagnostics; those of one that completed are its work, and only redacted. */
function cleanResult(result: Of<'results'>, redaction: Redaction): Of<'results'> {
  const clean = (text: string) => redact(text, redaction.secrets);
  const summary = result.status === 'completed' ? clean(result.summary) : failureText(result.summary, redaction);
  const claims = result.claims.map((claim) => ({ ...claim, evidence: clean(claim.evidence) }));
  return {
    ...result,
    summary,
    claims,
    outputs: result.outputs.map((output) => ({ ...output, ref: clean(output.ref) })),
  };
}

function boundQuote(message: Of<'messages'>, clean: (text: string) => string): Of<'messages'> {
  const { quote } = message;
  if (quote === undefined) return message;
  // Far more than is shown, so that no secret is cut in two where it shows.
  const text = clean(quote.text.slice(0, MAINLINE_LIMITS.quoteBytes * 2));
  return { ...message, quote: { ...quote, text: cutBytes(visible(text), MAINLINE_LIMITS.quoteBytes) } };
}

function cleanResume(resume: ResumeView, redaction: Redaction): ResumeView {
  const { error } = resume;
  const line = (text: string) => hidePaths(redact(text, redaction.secrets), redaction.roots);
  return {
    ...resume,
    ...(error === undefined ? {} : { error: failureText(error, redaction) }),
    summary: failureText(resume.summary, redaction),
    receipts: resume.receipts.map((receipt) => ({
      ...receipt,
      command: line(receipt.command),
      tail: line(receipt.tail),
    })),
    operations: resume.operations.map((operation) => ({ ...operation, what: line(operation.what) })),
  };
}

type Background = MainlineInput['background'];

/** How many of the newest messages stay within number and total. */
function backgroundFit(messages: Background): number {
  const { backgroundMessages, backgroundChars } = MESSAGE_LIMITS;
  let room: number = backgroundChars;
  const newestFirst = messages.slice(-backgroundMessages).reverse();
  const over = newestFirst.findIndex((message) => {
    room -= boundMessage(message).text.length;
    return room < 0;
  });
  return over === -1 ? newestFirst.length : over;
}

const boundMessage = ({ role, text }: Background[number]): Background[number] => ({
  role,
  text: text.slice(0, MESSAGE_LIMITS.backgroundMessageChars),
});

function boundGuidance(files: readonly GuidanceView[]): readonly GuidanceView[] {
  let room: number = MAINLINE_LIMITS.guidanceBytes;
  return files.map((file) => {
    const text = cutBytes(file.text, Math.max(room, 0));
    room -= Buffer.byteLength(text);
    return { ...file, text, cut: file.cut || text !== file.text };
  });
}
