import { RATE_LIMITS, type RateLimits } from './rate-limits.ts';
import type { TokenPrint } from './token.ts';

export interface OwnToken {
  readonly print: TokenPrint;
  readonly name: string;
}

/** Who may speak to a server, decided where it is started. */
export interface Access {
  /** False only where nobody but the person at this machine can reach the port. */
  readonly requireToken: boolean;
  /** Names under which a proxy sends requests on: `name` with whatever port, or `name:port`. Lower case. */
  readonly allowHosts: readonly string[];
  /** It listens on every address of the machine, so that each of them is its own. */
  readonly anyAddress: boolean;
  /** A token that is kept in a file; it is the person's who runs the server. */
  readonly fileToken?: TokenPrint | undefined;
  /** Of this start only: lets in whoever may read the data directory, under their name. */
  readonly ownToken?: OwnToken | undefined;
  readonly limits: RateLimits;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** The person at this machine, and nobody else. */
export const localAccess = (now: () => number = Date.now): Access => ({
  ...{ requireToken: false, allowHosts: [], anyAddress: false, limits: RATE_LIMITS, now },
});
