import { resolve } from 'node:path';

/** What the address of a git remote says about where it is. `path` has no slash around it and no `.git` behind it. */
export type RemoteAddress =
  | { readonly kind: 'local'; readonly path: string }
  | {
      readonly kind: 'network';
      readonly protocol: 'http' | 'https' | 'ssh' | 'git';
      /** Lower case; with its port where the protocol is the web's, for a port of ssh names no other forge. */
      readonly host: string;
      readonly path: string;
    }
  /** A transport of somebody's own, `codecommit::…` for example. */
  | { readonly kind: 'other' };

const PROTOCOLS: Readonly<Record<string, 'http' | 'https' | 'ssh' | 'git'>> = {
  'http:': 'http',
  'https:': 'https',
  'ssh:': 'ssh',
  'git+ssh:': 'ssh',
  'git:': 'git',
};

const SCP_LIKE = /^(?:[^@/:]+@)?(\[[^\]/]+\]|[^/:[\]]+):(?!\/\/|:)(.+)$/;
const HELPER = /^[A-Za-z0-9_-]+::/;
const DRIVE = /^[A-Za-z]:[\\/]/;

const bare = (path: string): string => path.replace(/^\/+|\/+$/g, '').replace(/\.git$/, '');

/** Reads an address as git does: a URL, `user@host:path`, or a path. */
export function parseRemote(url: string): RemoteAddress {
  if (HELPER.test(url)) return { kind: 'other' };
  if (/^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(url)) return parseUrl(url);
  const [, host, path] = DRIVE.test(url) ? [] : (SCP_LIKE.exec(url) ?? []);
  if (host === undefined || path === undefined) return { kind: 'local', path: url };
  return { kind: 'network', protocol: 'ssh', host: host.toLowerCase(), path: bare(path) };
}

function parseUrl(text: string): RemoteAddress {
  if (!URL.canParse(text)) return { kind: 'other' };
  const url = new URL(text);
  if (url.protocol === 'file:') return { kind: 'local', path: url.pathname };
  const protocol = PROTOCOLS[url.protocol];
  if (protocol === undefined) return { kind: 'other' };
  const host = (protocol === 'ssh' ? url.hostname : url.host).toLowerCase();
  return { kind: 'network', protocol, host, path: bare(url.pathname) };
}

/** The address as it may be kept and shown: no login, no password, no query; a path is made absolute. */
export function shownRemote(url: string, directory: string): string {
  if (parseRemote(url).kind === 'local' && !url.includes('://')) return resolve(directory, url);
  const open = url.replace(/[?#].*$/s, '');
  // A login on ssh is part of the address (`git@`); only what follows its colon is a secret.
  if (/^(?:git\+)?ssh:/i.test(open)) return open.replace(/^([^/]*\/\/[^/@:]*):[^/@]*@/, '$1@');
  return open.replace(/^([^/]*\/\/)[^/]*@/, '$1');
}

/** Secrets that an address carries: git repeats them in its messages. */
export function credentialsOf(url: string): readonly string[] {
  const [, login = ''] = /^[^/]*\/\/([^/]*)@/.exec(url) ?? [];
  const cut = login.indexOf(':');
  const parts = cut < 0 ? (/^https?:/i.test(url) ? [login] : []) : [login.slice(cut + 1), login];
  return parts.flatMap((part) => [part, decoded(part)]).filter((part) => part !== '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
