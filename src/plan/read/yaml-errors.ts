import type { ErrorCode } from 'yaml';

interface Complaint {
  readonly expected: string;
  readonly found: string;
  readonly hint?: string;
}

const say = (expected: string, found: string, hint?: string): Complaint => ({
  expected,
  found,
  ...(hint === undefined ? {} : { hint }),
});

/** Errors of the YAML language, in the words of someone who edits a plan. */
const KNOWN: Partial<Readonly<Record<ErrorCode, Complaint>>> = Object.freeze({
  BAD_ALIAS: say('the name of an anchor after *', 'something else', 'Put the text in quotes if it begins with *.'),
  BAD_INDENT: say('the same indentation as its neighbours', 'another one', 'A bracket may also be open above.'),
  BLOCK_AS_IMPLICIT_KEY: say('one key and one value', 'a second colon', 'Put the text in quotes if it holds ": ".'),
  BLOCK_IN_FLOW: say('a value in brackets', 'an indented block'),
  MISSING_CHAR: say('a closing quote, bracket or colon, or a comma', 'none'),
  MULTILINE_IMPLICIT_KEY: say('a key on one line', 'several lines', 'A colon may be missing.'),
  MULTIPLE_DOCS: say('one document', 'a second one after ---'),
  TAB_AS_INDENT: say('spaces before the first word', 'a tab'),
  TAG_RESOLVE_FAILED: say('a plain value', 'a tag of its own', 'Put the text in quotes if it begins with !.'),
  UNEXPECTED_TOKEN: say('a key or the end of the value', 'something else', 'Look at the indentation above it.'),
});

/** What was expected and found, for an error or warning of the YAML parser. */
export function describeYamlError(error: { readonly code: ErrorCode; readonly message: string }): Complaint {
  const known = KNOWN[error.code];
  // The parser's sentence says which of several characters it missed, so it stays as the hint.
  return known
    ? { ...known, hint: known.hint ?? `${error.message}.` }
    : say('valid YAML', 'something else', `${error.message}.`);
}
