type Code = 'webhook_not_found' | 'delivery_not_found' | 'invalid_webhook' | 'webhook_limit' | 'idempotency_mismatch';

/** Why something was not done with a webhook; codes are the same on every surface. */
export interface WebhookRefusal {
  readonly code: Code;
  readonly message: string;
  readonly expected: string;
  readonly found: string;
  readonly next: string;
}

export const isRefusal = (value: unknown): value is WebhookRefusal =>
  typeof value === 'object' && value !== null && 'code' in value && 'message' in value && 'expected' in value;

export const invalid = (message: string, expected: string, found: string, next: string): WebhookRefusal => ({
  code: 'invalid_webhook',
  ...{ message, expected, found, next },
});
