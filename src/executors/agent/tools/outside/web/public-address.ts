import ipaddr from 'ipaddr.js';

/** Public by their number, private by their use: the host service of a large cloud. */
const HOST_SERVICES = new Set(['168.63.129.16']);

/**
 * Whether an address lies on the open internet: not this machine, not its networks, not a cloud's metadata service, nor
 * an IPv6 form of one of these. False for what is not an address.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address.range() === 'rfc6052') return isPublicAddress(embedded(address.toByteArray()));
  return address.range() === 'unicast' && !HOST_SERVICES.has(address.toString());
}

/** The IPv4 address that a translated one (`64:ff9b::/96`) stands for; nothing valid for other layouts. */
function embedded(bytes: readonly number[]): string {
  return bytes.slice(4, 12).every((byte) => byte === 0) ? bytes.slice(12).join('.') : '';
}
