import type { CallEnd, RejectedCode } from './model-response.ts';
import { waitsOf } from './waits.ts';

/** An answer that is no stream of a model, as it came over the wire. */
export interface Refusal {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The beginning of it. */
  readonly body: string;
}

export type FailedEnd = Exclude<CallEnd, { kind: 'responded' }>;

/** What a status means that nothing in the body corrects. Other 4xx are `bad_request`, 3xx are no model API. */
const BY_STATUS: Readonly<Record<number, RejectedCode>> = {
  401: 'unauthorised',
  402: 'quota_exhausted',
  403: 'unauthorised',
  404: 'model_not_found',
  405: 'not_a_model_api',
  413: 'context_too_long',
  429: 'rate_limited',
  529: 'overloaded',
};

const RETRYABLE: ReadonlySet<RejectedCode> = new Set<RejectedCode>([
  'rate_limited',
  'quota_exhausted',
  'overloaded',
  'unreachable',
]);

/** Words in the body that say more than the status: which statuses they correct, and into what. */
const BY_WORDS: readonly Readonly<{ statuses: readonly number[]; words: RegExp; code: RejectedCode }>[] = [
  {
    statuses: [400, 402, 403, 429],
    words:
      /insufficient[_ ](?:quota|credits?|balance|funds)|billing|credit balance|usage[_ ]limit|usage limits|spend(?:ing)? limit|(?:per|a)[- ]day|\b(?:daily|weekly|monthly)\b|out of credits/i,
    code: 'quota_exhausted',
  },
  {
    statuses: [400],
    words: /invalid[_ ]api[_ ]key|api key (?:not valid|is invalid)|incorrect api key|authentication_error/i,
    code: 'unauthorised',
  },
  {
    statuses: [400, 422],
    words: /model_not_found|model\b.{0,100}(?:does not exist|not found|is not a valid model)/i,
    code: 'model_not_found',
  },
  {
    statuses: [400, 422],
    words:
      /context[_ ]?(?:length|window|limit|size)|prompt is too long|input is too long|request_too_large|maximum (?:context|prompt) /i,
    code: 'context_too_long',
  },
];

/**
 * What a refusal says: which end it is, and how long to wait. 408 and 5xx except 529 are `unknown`, for the work may
 * have been done. `now` is epoch milliseconds.
 */
export function endOfRefusal(refusal: Refusal, baseUrl: string, now: number): FailedEnd {
  const { status } = refusal;
  const message = `HTTP ${status}: ${wordsOf(refusal)}`;
  if (status === 408 || (status >= 500 && status !== 529)) return { kind: 'unknown', code: 'server_error', message };
  const code = codeOf(refusal);
  if (code === 'not_a_model_api') return { ...rejected(code, noModelApi(refusal, baseUrl)), status };
  const waits = RETRYABLE.has(code) ? waitsOf(refusal.headers, refusal.body, now) : {};
  return { ...rejected(code, message), status, ...waits };
}

/** A refusal without a status of its own. */
export function rejected(code: RejectedCode, message: string): Extract<CallEnd, { kind: 'rejected' }> {
  return { kind: 'rejected', code, message, retryable: RETRYABLE.has(code) };
}

/** Errors that a stream may begin with: nothing was taken. All others may come late, and leave it open. */
export function codeOfFirstError(words: string): RejectedCode | undefined {
  if (/overloaded/i.test(words)) return 'overloaded';
  if (!/rate_?limit|insufficient_quota|"code":\s*"?429/i.test(words)) return undefined;
  return byWords(429, words) ?? 'rate_limited';
}

function codeOf(refusal: Refusal): RejectedCode {
  const { status, body } = refusal;
  if (status < 400 || (status === 404 && !isJson(body))) return 'not_a_model_api';
  return byWords(status, body) ?? BY_STATUS[status] ?? 'bad_request';
}

function byWords(status: number, body: string): RejectedCode | undefined {
  return BY_WORDS.find(({ statuses, words }) => statuses.includes(status) && words.test(body))?.code;
}

function noModelApi({ status, headers }: Refusal, baseUrl: string): string {
  const found =
    status >= 300 && status < 400
      ? `a redirect to ${headers.location ?? 'another address'}`
      : `HTTP ${status} with ${headers['content-type'] ?? 'no content type'}`;
  return `Expected a model API at ${baseUrl}, found ${found}. Check the base URL of this provider.`;
}

/** The provider's own sentence where there is one. */
function wordsOf({ body, headers }: Refusal): string {
  const parsed = parseJson(body);
  const sentence = sentenceIn(Array.isArray(parsed) ? parsed[0] : parsed);
  if (sentence !== undefined) return sentence;
  const type = headers['content-type'] ?? '';
  return type.includes('html') ? 'a web page' : body.trim() || 'without a body';
}

function sentenceIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return undefined;
  const { error, message, detail } = value as Readonly<Record<string, unknown>>;
  return sentenceIn(error) ?? sentenceIn(message) ?? sentenceIn(detail);
}

function isJson(text: string): boolean {
  return parseJson(text) !== undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
