/** Failures of a connection that was never made: not a byte of the request has left. */
const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'EPROTO',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_INVALID_URL',
]);

/** A certificate that is not trusted ends the handshake, before the request. */
const NOT_TRUSTED = /^(?:CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/;

interface Facts {
  readonly code: string;
  readonly syscall: string;
  readonly message: string;
}

/** What went wrong with a connection, and whether it provably happened before anything was sent. */
export function networkFailure(
  error: unknown,
): Readonly<{ beforeSending: boolean; timedOut: boolean; message: string }> {
  const chain = causes(error);
  const cause = chain.find(({ code }) => code !== '') ?? chain.at(-1);
  const code = cause?.code ?? '';
  return {
    beforeSending: NOT_CONNECTED.has(code) || NOT_TRUSTED.test(code) || cause?.syscall === 'connect',
    timedOut: code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT',
    message: [code, cause?.message].filter(Boolean).join(': ') || 'the connection failed',
  };
}

function causes(error: unknown): Facts[] {
  const found: Facts[] = [];
  let current = error;
  while (current instanceof Error && found.length < 8) {
    const { code, syscall, errors } = current as Error & Readonly<Record<'code' | 'syscall' | 'errors', unknown>>;
    const first = Array.isArray(errors) && errors[0] instanceof Error ? errors[0] : undefined;
    found.push({ code: word(code), syscall: word(syscall), message: current.message || (first?.message ?? '') });
    current = current.cause ?? first;
  }
  return found;
}

const word = (value: unknown): string => (typeof value === 'string' ? value : '');
