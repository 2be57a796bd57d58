import { lookup } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';

/** Where a server listens, found before it does, for it decides who needs a token. */
export interface Place {
  /** An address of this machine; `0.0.0.0` and `::` are all of them. */
  readonly address: string;
  /** Names and addresses under which it may be asked for, without port. */
  readonly names: readonly string[];
  readonly reach: 'loopback' | 'address' | 'everywhere';
}

const REACHES: Readonly<Record<string, Place['reach']>> = { loopback: 'loopback', unspecified: 'everywhere' };

const LOOPBACK_NAMES: Readonly<Record<Place['reach'], readonly string[]>> = {
  loopback: ['localhost'],
  address: [],
  everywhere: ['localhost', '127.0.0.1', '[::1]'],
};

/** As an address stands in a URL. */
export const inUrl = (address: string): string => (address.includes(':') ? `[${address}]` : address);

export const LOOPBACK: Place = Object.freeze({
  ...{ address: '127.0.0.1', names: ['127.0.0.1', 'localhost'], reach: 'loopback' as const },
});

/** What a name or an address stands for on this machine; undefined for a name that stands for nothing. */
export async function placeOf(host: string): Promise<Place | undefined> {
  const name = host.replace(/^\[(.+)\]$/, '$1').toLowerCase();
  const found = await lookup(name).catch(() => undefined);
  if (!found) return undefined;
  const { address } = found;
  const reach = REACHES[ipaddr.process(address).range()] ?? 'address';
  const names = new Set([inUrl(address), inUrl(name), ...LOOPBACK_NAMES[reach]]);
  return { address, names: [...names], reach };
}
