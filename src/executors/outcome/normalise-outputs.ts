import { OUTCOME_LIMITS, type Output } from '../../core/model/outcome.ts';

export interface NormalisedOutputs {
  readonly outputs: readonly Output[];
  /** One sentence for each that was not accepted. */
  readonly refused: readonly string[];
}

/**
 * Outputs by the rules of their kind: files relative and inside, links without a login or a secret, pull requests
 * at a known path, commits by their digits or a full ref. Doubles count once; a reference of the wrong kind is
 * refused, not reinterpreted.
 */
export function normaliseOutputs(given: readonly { kind: Output['kind']; ref: string }[]): NormalisedOutputs {
  const accepted = new Map<string, Output>();
  const refused: string[] = [];
  for (const { kind, ref } of given) {
    const answer = RULES[kind](ref.trim());
    if (answer === null) refused.push(`Output not accepted: ${kind} ${ref.slice(0, 200)} (${EXPECTED[kind]}).`);
    else accepted.set(`${kind} ${answer}`, { kind, ref: answer });
  }
  const outputs = [...accepted.values()];
  if (outputs.length > OUTCOME_LIMITS.outputsMax)
    refused.push(`Only the first ${OUTCOME_LIMITS.outputsMax} of ${outputs.length} outputs are kept.`);
  return { outputs: outputs.slice(0, OUTCOME_LIMITS.outputsMax), refused };
}

const EXPECTED: Readonly<Record<Output['kind'], string>> = {
  file: 'a path relative to the project directory, inside it',
  link: 'an http or https address without a login or a secret in it',
  pr: 'the address of a pull request, with nothing behind its number',
  commit: '7 to 64 hexadecimal digits, or a full ref such as refs/heads/main',
};

const RULES: Readonly<Record<Output['kind'], (ref: string) => string | null>> = { file, link, pr, commit };

/** A project-relative path with forward slashes, or null. Exported for evidence, which may name files, too. */
function file(ref: string): string | null {
  const path = ref.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');
  const unsafe = /^\/|^[A-Za-z][A-Za-z0-9+.-]*:|%[0-9A-Fa-f]{2}|\p{Cc}/u.test(path);
  const bad = path.split('/').some((part) => part === '' || part === '.' || part === '..');
  return unsafe || bad ? null : path;
}

/** Parameters of an address that usually carry a secret. */
const SECRET_PARAMETER =
  /token|secret|signature|(?:^|_)sig$|^code$|passw|cookie|auth|credential|api_?key|access_?key|x_amz|(?:^|_)key$/;

function link(ref: string): string | null {
  const url = webAddress(ref);
  if (url === null || url.username !== '' || url.password !== '') return null;
  const parts = [url.search.slice(1), url.hash.slice(1)];
  return parts.some((part) => mayHoldSecret(part)) ? null : url.href;
}

/** Names are looked at after up to three decodings; what is still encoded then may hide anything. */
function mayHoldSecret(part: string): boolean {
  let text = part;
  for (let round = 0; round < 3; round += 1) {
    if (names(text).some((name) => SECRET_PARAMETER.test(name))) return true;
    const decoded = decodeOnce(text);
    if (decoded === null) return true;
    if (decoded === text) return false;
    text = decoded;
  }
  return /%[0-9A-Fa-f]{2}/.test(text) || names(text).some((name) => SECRET_PARAMETER.test(name));
}

function names(text: string): string[] {
  return [...text.matchAll(/([^?&;#=]+)=/g)].map((match) => (match[1] ?? '').toLowerCase().replace(/[^a-z0-9]+/g, '_'));
}

function decodeOnce(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function webAddress(ref: string): URL | null {
  if (/[\s\p{Cc}\\]/u.test(ref) || !URL.canParse(ref)) return null;
  const url = new URL(ref);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : null;
}

const SEGMENT = '[A-Za-z0-9_.~-]+';
const PULL_REQUESTS = [
  new RegExp(`^/${SEGMENT}/${SEGMENT}/pulls?/([1-9]\\d*)$`),
  new RegExp(`^(?:/${SEGMENT}){2,}/-/merge_requests/([1-9]\\d*)$`),
  new RegExp(`^/${SEGMENT}/${SEGMENT}/pull-requests/([1-9]\\d*)$`),
  new RegExp(`^(?:/${SEGMENT})*/(?:projects|users)/${SEGMENT}/repos/${SEGMENT}/pull-requests/([1-9]\\d*)$`),
  new RegExp(`^(?:/${SEGMENT}){1,3}/_git/${SEGMENT}/pullrequest/([1-9]\\d*)$`),
];

function pr(ref: string): string | null {
  const url = webAddress(ref);
  if (url === null || url.username !== '' || url.password !== '') return null;
  if (/[?#]/.test(ref) || /\/\.{1,2}(?:\/|$)/.test(ref)) return null;
  const path = url.pathname.replace(/(\/pull-requests\/\d+)\/overview$/, '$1');
  return PULL_REQUESTS.some((shape) => shape.test(path)) ? `${url.origin}${path}` : null;
}

/** A digit string, or a full ref by git's own rules. */
function commit(ref: string): string | null {
  if (/^[0-9a-f]{7,64}$/i.test(ref)) return ref.toLowerCase();
  const legal =
    /^refs\/[^/]/.test(ref) &&
    !/[\p{Cc} ~^:?*[\\]|\.\.|@\{|\/\/|\.$|\/$|%/u.test(ref) &&
    ref.split('/').length > 2 &&
    ref.split('/').every((part) => !part.startsWith('.') && !part.endsWith('.lock'));
  return legal ? ref : null;
}
