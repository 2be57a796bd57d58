/** A digest as RFC 9530 has it: a dictionary with base64 between colons. */
const SHA256 = /(?:^|,)\s*sha-256\s*=\s*:([A-Za-z0-9+/]{43}=):/i;
const HEX = /^[0-9a-f]{64}$/i;

/** Digests that a sender says a body has, in hexadecimal; undefined for one that cannot be read. */
export function saidDigests(header: string | undefined, hex: string | undefined): readonly string[] | undefined {
  const [, inHeader] = SHA256.exec(header ?? '') ?? [];
  if ((header !== undefined && inHeader === undefined) || (hex !== undefined && !HEX.test(hex))) return undefined;
  return [
    ...(inHeader === undefined ? [] : [Buffer.from(inHeader, 'base64').toString('hex')]),
    ...(hex === undefined ? [] : [hex.toLowerCase()]),
  ];
}
