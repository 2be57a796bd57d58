import ipaddr from 'ipaddr.js';
import { invalid, type WebhookRefusal } from './refusal.ts';

const MAX_CHARS = 2_000;
const NEXT = 'Give the whole address of the receiver, such as https://example.org/hooks/workcenter.';

const refused = (message: string, expected: string, found: string) => invalid(message, expected, found, NEXT);

/** Names that only a network of one's own knows. */
const NEAR_NAME = /^(?:[a-z0-9-]+|.+\.(?:local|localhost|internal|lan|home\.arpa))$/i;
const NEAR_RANGES: ReadonlySet<string> = new Set(['loopback', 'private', 'uniqueLocal']);
/** Where clouds answer with credentials, and what is no one's address. */
const NO_RECEIVER: ReadonlySet<string> = new Set(['linkLocal', 'unspecified', 'broadcast', 'multicast', 'reserved']);

const rangeOf = (host: string): string | undefined => {
  const bare = host.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(bare) ? ipaddr.process(bare).range() : undefined;
};

/** Without TLS the words may be read on their way: only as far as this machine and its network. */
function isNear(host: string): boolean {
  const range = rangeOf(host);
  return range === undefined ? NEAR_NAME.test(host) : NEAR_RANGES.has(range);
}

/**
 * The address of a receiver in its usual form, or why it cannot be one. A person names it, and may mean this machine;
 * what a person cannot mean is refused: other schemes, credentials in the address, addresses that nobody listens at.
 */
export function receiverUrl(text: string): string | WebhookRefusal {
  if (text.length > MAX_CHARS) {
    return refused('The address is too long.', `at most ${MAX_CHARS} characters`, `${text.length} characters`);
  }
  if (!URL.canParse(text)) return refused('That is no address.', 'https://HOST/PATH', text || 'nothing');
  const url = new URL(text);
  const { protocol, hostname, username, password, hash } = url;
  if (protocol !== 'https:' && protocol !== 'http:') {
    return refused('A webhook is told over HTTP.', 'https://, or http:// in your own network', protocol);
  }
  if (username !== '' || password !== '') {
    return refused('An address holds no credentials: every delivery is signed instead.', 'no name and password', 'one');
  }
  if (hash !== '') return refused('What stands behind # is never sent.', 'no fragment', hash);
  const range = rangeOf(hostname);
  if (range !== undefined && NO_RECEIVER.has(range)) {
    return refused('Nobody can be told there.', 'the address of a receiver', `${hostname} (${range})`);
  }
  if (protocol === 'http:' && !isNear(hostname)) {
    return refused('Over the internet it has to be https.', 'https://', `http:// to ${hostname}`);
  }
  return url.href;
}
