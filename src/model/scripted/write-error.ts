import type { JsonObject } from './json.ts';
import type { Protocol } from './scripted-request.ts';

/** Names of errors by status, as each provider calls them. */
const OPENAI_TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  429: 'rate_limit_error',
};
const ANTHROPIC_TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

/** What an error is about: an HTTP status, also where it is sent inside a stream that began with 200. */
export interface ErrorFacts {
  readonly status: number;
  readonly message: string;
}

const openaiType = (status: number): string =>
  OPENAI_TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'server_error');
const anthropicType = (status: number): string =>
  ANTHROPIC_TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');

/** The body of an error, in the shape of the protocol. */
export function writeErrorBody(protocol: Protocol, { status, message }: ErrorFacts): JsonObject {
  if (protocol === 'anthropic') return { type: 'error', error: { type: anthropicType(status), message } };
  return { error: { message, type: openaiType(status), param: null, code: null } };
}

/** The event that tells of an error in the middle of a stream. */
export function writeErrorEvent(protocol: Protocol, facts: ErrorFacts): JsonObject {
  if (protocol !== 'openai-responses') return writeErrorBody(protocol, facts);
  const { status, message } = facts;
  return { type: 'error', sequence_number: 0, code: openaiType(status), message, param: null };
}
