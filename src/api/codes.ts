import type { RejectionCode } from '../core/index.ts';
import type { StoreErrorCode } from '../store/store-error.ts';

export type Status = 400 | 401 | 403 | 404 | 409 | 413 | 415 | 416 | 422 | 429 | 500 | 503;

/**
 * The status of a code: what is wrong with the address, the caller, the body, or the state that it met. Refusals of the
 * core that are not named here do not fit the state: 409.
 */
const STATUSES = {
  invalid_request: 400,
  invalid_cursor: 400,
  token_in_url: 400,
  token_missing: 401,
  token_invalid: 401,
  token_expired: 401,
  token_revoked: 401,
  user_required: 403,
  scope_too_small: 403,
  local_setting: 403,
  foreign_origin: 403,
  foreign_host: 403,
  item_not_found: 404,
  action_not_found: 404,
  request_not_found: 404,
  operation_not_found: 404,
  call_not_found: 404,
  route_not_found: 404,
  run_not_found: 404,
  attachment_not_found: 404,
  content_not_found: 404,
  session_not_found: 404,
  vp_not_found: 404,
  webhook_not_found: 404,
  delivery_not_found: 404,
  token_not_found: 404,
  directory_unknown: 404,
  no_diff: 404,
  workspace_gone: 404,
  cannot_create: 409,
  webhook_limit: 409,
  token_name_taken: 409,
  cannot_tell: 409,
  cannot_try: 409,
  trial_running: 409,
  rerun_impossible: 409,
  not_running: 409,
  workspace_unreadable: 409,
  settings_version_stale: 409,
  body_too_large: 413,
  attachment_limit: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  invalid_setting: 422,
  invalid_contract: 422,
  invalid_webhook: 422,
  invalid_plan: 422,
  invalid_field: 422,
  uncommitted_work: 422,
  invalid_decision: 422,
  choice_not_offered: 422,
  idempotency_mismatch: 422,
  attachment_type: 422,
  attachment_expired: 422,
  digest_mismatch: 422,
  rate_limited: 429,
  internal: 500,
  store_full: 500,
  store_io: 500,
  store_corrupt: 500,
  store_newer_schema: 500,
  store_not_found: 500,
  store_readonly: 500,
  store_busy: 503,
  store_closed: 503,
  not_ready: 503,
  too_many_sessions: 503,
  too_many_streams: 503,
} as const satisfies Readonly<Record<string, Status>>;

export type ProblemCode = RejectionCode | StoreErrorCode | keyof typeof STATUSES;

/** Every code with a status of its own. */
export const CODES: ReadonlyMap<string, Status> = new Map(Object.entries(STATUSES));

export const statusOfCode = (code: string): Status => CODES.get(code) ?? 409;

export const TITLES: Readonly<Record<Status, string>> = {
  400: 'The request cannot be read',
  401: 'Who are you?',
  403: 'Not allowed',
  404: 'Not found',
  409: 'It does not fit what is',
  413: 'Too much at once',
  415: 'Not a kind of body that is read here',
  416: 'Nothing of it is there',
  422: 'Not acceptable as it is',
  429: 'Too many requests',
  500: 'A defect of ours',
  503: 'Try again',
};
