import type { TokenResponse } from './generated/auth-gateway.js';

export interface Tokens {
  accessToken: string;
  refreshToken: string;
  /** When the access token expires, in milliseconds since 1970. */
  expiresAt: number;
}

/** Where the tokens of a session are kept. Processes that share a session share its store. */
export interface TokenStore {
  /** What is stored now: another process may have replaced it since. */
  load(): Promise<Tokens | undefined>;
  /** Replaces what is stored, whole. */
  save(tokens: Tokens): Promise<void>;
  /** Runs `work` while no other process runs anything here. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
}

/** What to store of an answer that came at `now`. */
export function toTokens({ access_token, refresh_token, expires_in }: TokenResponse, now = Date.now()): Tokens {
  return { accessToken: access_token, refreshToken: refresh_token, expiresAt: now + expires_in * 1000 };
}
