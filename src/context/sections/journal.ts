import { type Cuts, countOf } from '../cuts.ts';
import { addText, counted, type Draft, leaveOut, newDraft } from '../draft.ts';
import type { JournalEntry, MainlineInput } from '../mainline-input.ts';
import { oneLine } from '../untrusted.ts';

const SUMMARY_BYTES = 200;
const WORD_BYTES = 80;

/** One bounded line for every other Action: what else there is, and how it went. */
export function journalSection({ journal }: MainlineInput, cuts: Cuts): Draft {
  const draft = newDraft('Other Actions');
  const kept = journal.slice(journal.length - countOf(cuts, journal.length));
  const bare = Math.max(cuts.journal - (journal.length - kept.length), 0);
  const lines = kept.map((entry, at) => (at < bare ? short(entry) : line(entry)));
  addText(draft, '', { tag: 'untrusted', source: 'journal', text: lines.join('\n') });
  leaveOut(draft, Math.min(cuts.journal, journal.length), (n) => `what ${counted(n, 'other Action')} did`);
  leaveOut(draft, journal.length - kept.length, (n) => `the names of ${counted(n, 'other Action')}`);
  return draft;
}

const short = ({ actionId, status }: JournalEntry): string => `- ${actionId} ${status}`;

function line(entry: JournalEntry): string {
  const purpose = entry.for.length === 0 ? '' : ` for ${entry.for.join(', ')}`;
  const summary = oneLine(entry.summary, SUMMARY_BYTES);
  return `- ${entry.actionId} ${oneLine(entry.type, WORD_BYTES)} ${entry.status}${purpose}${summary === '' ? '' : `: ${summary}`}`;
}
