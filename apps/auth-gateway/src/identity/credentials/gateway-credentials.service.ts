import { Injectable } from '@nestjs/common';
import type { Surface } from '@platform/contracts';
import { AccessErrors, API_KEY_PREFIX, Credentials, type UserCaller } from '@platform/guards';
import { DataSource } from 'typeorm';
import { ApiKeyAuthenticationService } from '../api-keys/api-key-authentication.service.js';
import { AccessTokensService } from '../tokens/access-tokens.service.js';
import { assertCanAuthenticate } from '../accounts/can-authenticate.js';
import { getEffectiveScopes, getAccount } from '../sessions/signed-in-account.js';
import { SESSION_IS_ALIVE, SignedInUsersService } from '../sessions/signed-in-users.service.js';

/** User on behalf of whom a backend calls. */
export interface ActingUser extends UserCaller {
  /**
   * Credentials epoch of the user at the start of the request: a number that is raised when all
   * logins of the user end. Logins that the request starts are valid only in this epoch.
   */
  credentialsEpoch: number;
}

/**
 * Checks access tokens, API keys, and the users for whom backends act, with the data of the
 * gateway.
 */
@Injectable()
export class GatewayCredentialsService extends Credentials {
  constructor(
    private readonly dataSource: DataSource,
    private readonly accessTokens: AccessTokensService,
    private readonly signedInUsers: SignedInUsersService,
    private readonly apiKeys: ApiKeyAuthenticationService,
  ) {
    super();
  }

  async authenticateBearer(token: string): Promise<UserCaller> {
    if (token.startsWith(API_KEY_PREFIX)) return this.authenticateApiKey(token);
    const { userId, sessionId } = await this.accessTokens.verifyAccessToken(token);
    const user = await this.signedInUsers.findSignedInUser(sessionId);
    if (user?.userId !== userId) throw AccessErrors.invalidToken('The session has ended.');
    return user;
  }

  authenticateApiKey(key: string): Promise<UserCaller> {
    return this.apiKeys.authenticateKey(key);
  }

  async authenticateActingUser(platformId: string, sessionId?: string): Promise<ActingUser> {
    const account = await getAccount(this.dataSource.manager, platformId);
    assertCanAuthenticate(account);
    // Read after the epoch: ending a session raises the epoch, so a session that is alive now was
    // alive in that epoch.
    const surface = sessionId === undefined ? null : await this.getSurface(sessionId, platformId);
    return {
      kind: 'user',
      userId: account.user_id,
      tenantId: account.tenant_id,
      role: account.role,
      scopes: getEffectiveScopes(account),
      ...(surface === 'cli' && { isTerminal: true }),
      credentialsEpoch: account.credentials_epoch,
    };
  }

  /**
   * Returns the kind of client of a session: `web`, `cli` or `api`.
   *
   * @throws AppError 401 `invalid_token` if the user has no such session, or it has ended.
   */
  private async getSurface(sessionId: string, userId: string): Promise<Surface> {
    const [alive] = await this.dataSource.query<{ surface: Surface }[]>(
      `SELECT s.surface FROM sessions s WHERE s.id = $1 AND s.user_id = $2 AND ${SESSION_IS_ALIVE}`,
      [sessionId, userId],
    );
    if (!alive) throw AccessErrors.invalidToken('The session has ended.');
    return alive.surface;
  }
}
