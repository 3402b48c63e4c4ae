import { Injectable } from '@nestjs/common';
import { DEFAULT_TENANT, type EventStreamQuery } from '@platform/contracts';
import { userOf, type Caller, type UserCaller } from '@platform/guards';
import type { Request } from 'express';
import { DataSource } from 'typeorm';
import { GatewayCredentialsService } from '../../../identity/credentials/gateway-credentials.service.js';
import { AccessTokensService } from '../../../identity/tokens/access-tokens.service.js';
import { assertOwnTenant } from '../../../organisation/current-tenant/current-tenant.js';
import { assertTenantExists } from '../../../organisation/current-tenant/existing-tenants.js';
import type { StreamRequest } from './event-streams.service.js';
import { StreamErrors } from './stream.errors.js';

/** Decides which events a request can follow, and for how long. */
@Injectable()
export class StreamRequestsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly credentials: GatewayCredentialsService,
    private readonly accessTokens: AccessTokensService,
  ) {}

  /**
   * Returns the events that a request can follow, from which position and until when: of the
   * calling user, or for a backend of the user or tenant that it names, or else of the tenant
   * `default`. Only an access token sets an end.
   *
   * @throws AppError 403 `other_user` for another user than the caller; 404 `user.not_found` for an
   * unknown user, 403 `account_disabled` for one who cannot sign in. ValidationFailed for another
   * tenant than the user's, and for an unknown tenant.
   */
  async resolveRequest(query: EventStreamQuery, caller: Caller, request: Request): Promise<StreamRequest> {
    const user =
      userOf(caller) ?? (query.user_id ? await this.credentials.authenticateActingUser(query.user_id) : undefined);
    if (user && query.user_id && query.user_id !== user.userId) throw StreamErrors.otherUser();
    if (user) assertOwnTenant(user, query.tenant_id);
    else if (query.tenant_id !== undefined)
      await assertTenantExists(this.dataSource.manager, query.tenant_id, ['query', 'tenant_id']);
    return {
      audience: {
        tenantId: user?.tenantId ?? query.tenant_id ?? DEFAULT_TENANT,
        userId: user?.userId ?? null,
        sourceTypes: query.source_types ? new Set(query.source_types.split(',')) : null,
        keyScopes: user?.apiKeyId === undefined ? null : (user.keyScopes ?? []),
      },
      credential: { userId: user?.userId, sessionId: sessionOf(user, request), apiKeyId: user?.apiKeyId },
      expiresAt: caller.kind === 'user' && caller.sessionId !== undefined ? await this.getTokenExpiry(request) : null,
      lastEventId: lastEventIdOf(query, request),
    };
  }

  /**
   * Expiry of the access token, in seconds since 1970. The token was verified before and is cached.
   */
  private async getTokenExpiry({ headers }: Request): Promise<number> {
    const { expiresAt } = await this.accessTokens.verifyAccessToken(
      (headers.authorization ?? '').replace(/^bearer +/i, ''),
    );
    return expiresAt;
  }
}

/**
 * Returns the ID of the user's session, or of the session for which a backend acts; undefined
 * without one. It was checked before.
 */
function sessionOf(user: UserCaller | undefined, { headers }: Request): string | undefined {
  const acting = headers['x-acting-session'];
  return user?.sessionId ?? (user && typeof acting === 'string' ? acting : undefined);
}

/**
 * Returns `Last-Event-ID` from the header, or else from the query; null without both. The header is
 * newer: a browser that reconnects sends the header to the old URL.
 */
function lastEventIdOf(query: EventStreamQuery, { headers }: Request): string | null {
  const header = headers['last-event-id'];
  return (typeof header === 'string' && header) || query.last_event_id || null;
}
