import { hidePaths } from '../../context/failure-text.ts';
import { redact } from '../../text/redact.ts';

/**
 * An error as it leaves the machine (chapter 4 §3.13, as D38 has it): what looks like a secret is replaced by its span,
 * paths of the project become relative, other paths of the machine are hidden but for the name of the file.
 */
export const shownFailure = (text: string, directory: string): string => hidePaths(redact(text, []), [directory]);
