import type { AccessTokens } from './access-tokens.js';
import { call } from './call.js';
import type { PlatformClient } from './client.js';
import { ApiError, isTransient, SignedOutError } from './errors.js';
import { withRetries } from './retries.js';
import { toTokens, type Tokens, type TokenStore } from './token-store.js';

const REFRESH_BEFORE_EXPIRY_MS = 60_000;

export interface RefreshingTokensOptions {
  store: TokenStore;
  /** A client without `tokens`: a refresh sends no access token. */
  client: PlatformClient;
  /** Waits between the tries of a refresh. */
  pause?: (ms: number) => Promise<void>;
}

/**
 * Access token of a session that several processes share. Refreshes it 60 s before it expires, in
 * one process at a time. The session counts as ended only if the platform answers 401 to a refresh
 * token that is still the stored one.
 */
export class RefreshingTokens implements AccessTokens {
  private renewal: Promise<string> | undefined;

  constructor(private readonly options: RefreshingTokensOptions) {}

  async current(): Promise<string> {
    const tokens = await this.load();
    return isFresh(tokens) ? tokens.accessToken : this.renew();
  }

  /**
   * Returns a token other than `refused`: one that another process has just stored, or one from a
   * refresh. Concurrent callers in this process share one renewal.
   *
   * @param refused omitted: the stored token only expires soon. It is returned if the refresh fails
   * temporarily while it is still valid.
   * @throws SignedOutError without stored tokens or after the end of the session; ApiError or
   * ConnectionError if the refresh fails for another reason.
   */
  renew(refused?: string): Promise<string> {
    this.renewal ??= this.options.store
      .exclusively(() => this.renewAlone(refused))
      .finally(() => (this.renewal = undefined));
    return this.renewal;
  }

  private async renewAlone(refused?: string, isSecondTry = false): Promise<string> {
    const tokens = await this.load();
    if (isFresh(tokens) && tokens.accessToken !== refused) return tokens.accessToken; // another process has just renewed it
    try {
      return await this.rotate(tokens);
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) {
        const { refreshToken } = await this.load();
        // A new login replaced it, or a process that lost the lock while the computer slept.
        if (refreshToken !== tokens.refreshToken && !isSecondTry) return this.renewAlone(refused, true);
        throw new SignedOutError('session_ended');
      }
      if (isTransient(error) && !refused && tokens.expiresAt > Date.now()) return tokens.accessToken; // still valid for some seconds
      throw error;
    }
  }

  private async rotate({ refreshToken }: Tokens): Promise<string> {
    const { client, store, pause } = this.options;
    const refresh = () => call(client.POST('/v1/auth/refresh', { body: { refresh_token: refreshToken } }));
    const successor = toTokens(await withRetries(refresh, pause));
    const stored = await this.load();
    if (stored.refreshToken !== refreshToken) return stored.accessToken; // must not overwrite the newer tokens
    await store.save(successor);
    return successor.accessToken;
  }

  private async load(): Promise<Tokens> {
    const tokens = await this.options.store.load();
    if (!tokens) throw new SignedOutError('no_tokens');
    return tokens;
  }
}

const isFresh = ({ expiresAt }: Tokens): boolean => expiresAt - Date.now() > REFRESH_BEFORE_EXPIRY_MS;
