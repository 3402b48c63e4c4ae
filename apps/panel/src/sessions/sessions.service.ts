import { Injectable } from '@nestjs/common';
import type { TokenResponse } from '@platform/contracts';
import { currentContext, sha256 } from '@platform/platform';
import { GatewayErrors } from '../gateway/gateway.errors.js';
import { Gateway, type GatewayAnswer, type GatewayRequest } from '../gateway/gateway.js';
import type { Visitor } from '../gateway/visitor.js';
import { SessionCookie } from './session-cookie.js';
import { SessionStore, type StoredSession } from './session-store.js';
import { SessionErrors } from './sessions.errors.js';

/**
 * Calls the gateway as the person of a session, whose tokens never leave this server. Only a 401 of the gateway's refresh ends a session;
 * everything else passes.
 */
@Injectable()
export class Sessions {
  /** One refresh per session at a time, for the requests that a page sends at once. */
  private readonly refreshing = new Map<string, Promise<StoredSession>>();

  constructor(
    private readonly gateway: Gateway,
    private readonly store: SessionStore,
    private readonly cookie: SessionCookie,
  ) {}

  /** Begins a session with a token pair and returns the value of its cookie. The session that the browser had before ends. */
  async begin(tokens: TokenResponse, visitor: Visitor, previousCookie: string | null): Promise<string> {
    const value = await this.store.add(tokens);
    if (previousCookie) await this.endByCookie(previousCookie, visitor);
    return value;
  }

  /**
   * Sends a request with the session's access token, refreshed when it is about to expire.
   *
   * @throws AppError 401 when the session has ended, 503 while the gateway cannot tell.
   */
  call(session: StoredSession, visitor: Visitor, request: GatewayRequest): Promise<GatewayAnswer> {
    return this.withToken(session, visitor, (accessToken) => this.gateway.bearer(visitor, request, accessToken));
  }

  /** As `call`, for what is sent otherwise: it may be sent twice. @throws AppError as `call` does. */
  async withToken<Answer extends { status: number }>(
    session: StoredSession,
    visitor: Visitor,
    send: (accessToken: string) => Promise<Answer>,
  ): Promise<Answer> {
    const current = session.isFresh ? session : await this.refresh(session, visitor);
    const answer = await send(current.tokens.accessToken);
    if (answer.status !== 401) return answer;
    // The token is refused, but when the gateway has replaced its signing keys the session lives on: its refresh tells.
    const renewed = await this.refresh(current, visitor);
    const second = await send(renewed.tokens.accessToken);
    if (second.status === 401) return this.drop(renewed);
    return second;
  }

  /**
   * Sends a request for the session's user by the service token. A look at the session comes first, which refreshes its tokens and notices
   * its end; the gateway looks once more, so that a session that is revoked in between approves nothing.
   *
   * @throws AppError as `call` does.
   */
  async actFor(session: StoredSession, visitor: Visitor, request: GatewayRequest): Promise<GatewayAnswer> {
    const alive = await this.call(session, visitor, { method: 'GET', path: '/v1/auth/me' });
    if (alive.status !== 200) return alive;
    return this.gateway.actingFor(visitor, request, session);
  }

  /** Ends the session of a cookie's value, if there is one: one that no secret key opens, too, so that it does not come back with its key. */
  endByCookie(value: string, visitor: Visitor): Promise<void> {
    return this.end({ key: sha256(value) }, visitor);
  }

  /** Ends a session here at once, and at the gateway when that can be reached; nobody holds its tokens any more. */
  async end({ key }: Pick<StoredSession, 'key'>, visitor: Visitor): Promise<void> {
    const removed = await this.store.remove(key);
    if (!removed) return;
    const body = { refresh_token: removed.tokens.refreshToken };
    await this.gateway
      .public(visitor, { method: 'POST', path: '/v1/auth/logout', body })
      .catch((error: unknown) =>
        currentContext()?.log.warn({ err: error, session_id: removed.gatewaySessionId }, 'signed out here, but not at the gateway'),
      );
  }

  private refresh(session: StoredSession, visitor: Visitor): Promise<StoredSession> {
    const id = session.key.toString('hex');
    const running = this.refreshing.get(id);
    if (running) return running;
    const started = this.rotate(session, visitor).finally(() => this.refreshing.delete(id));
    this.refreshing.set(id, started);
    return started;
  }

  /** Any number of processes may do this at once: for 60 s the gateway answers each of them with the same successor. */
  private async rotate(session: StoredSession, visitor: Visitor): Promise<StoredSession> {
    const body = { refresh_token: session.tokens.refreshToken };
    const answer = await this.gateway.public(visitor, { method: 'POST', path: '/v1/auth/refresh', body });
    if (answer.status === 401) return this.drop(session);
    if (answer.status !== 200) {
      throw GatewayErrors.unavailable({
        retryAfter: answer.headers.get('retry-after') ?? undefined,
        cause: new Error(`the refresh answered ${answer.status}`),
      });
    }
    const saved = await this.store.replaceTokens(session, JSON.parse(answer.body) as TokenResponse);
    const current = saved ?? (await this.store.find(session.key));
    if (!current) throw SessionErrors.notSignedIn(this.cookie.clear());
    return current;
  }

  private async drop(session: StoredSession): Promise<never> {
    await this.store.remove(session.key);
    throw SessionErrors.notSignedIn(this.cookie.clear());
  }
}
