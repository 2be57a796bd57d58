import type { ClientProblem } from '../../../src/client/index.ts';
import { type Field, usedCriteria } from './compile-form.ts';
import type { Form } from './form.ts';

/** First words of what is wrong, as the server names parts: `criteria.0.text`, `criteria[0].check.cwd`, `limits.tokens`. */
const PART = /^(?:the body|([a-z]+)(?:[.[](\w+))?)/i;

const PARTS: Readonly<Record<string, Field>> = {
  goal: 'goal',
  criteria: 'criteria',
  setup: 'setup',
  delivery: 'delivery',
  workspace: 'directory',
  directory: 'directory',
  instructions: 'instructions',
  attachments: 'files',
};

const LIMIT_FIELDS: Readonly<Record<string, Field>> = { costMicros: 'usd', tokens: 'tokens', wallClockSec: 'hours' };

/** Rows that were left empty were not sent, so the n-th that was sent may stand further down. */
function criterionField(form: Form, sent: number): Field {
  const criterion = usedCriteria(form)[sent];
  const at = criterion === undefined ? -1 : form.criteria.indexOf(criterion);
  return at < 0 ? 'criteria' : `criterion.${at}`;
}

function namedField(form: Form, detail: string): Field | undefined {
  const [, part = '', below = ''] = PART.exec(detail) ?? [];
  if (part === 'criteria' && /^\d+$/.test(below)) return criterionField(form, Number(below));
  if (part === 'limits') return LIMIT_FIELDS[below];
  return PARTS[part];
}

/** The part of the form that a refusal is about, where it says so; else it belongs to the button. */
export function fieldOf(form: Form, { code, detail }: ClientProblem): Field | undefined {
  if (code.startsWith('attachment_')) return 'files';
  // What a directory is refused for: not there, no commit, too large.
  if (code === 'invalid_field' || code === 'uncommitted_work') return 'directory';
  if (code !== 'invalid_request' && code !== 'invalid_contract') return undefined;
  return detail.startsWith('So long a goal') ? 'goal' : namedField(form, detail);
}
