import { Injectable } from '@nestjs/common';
import type { TokenResponse } from '@platform/contracts';
import { currentContext, sha256 } from '@platform/platform';
import { GatewayErrors } from '../gateway/gateway.errors.js';
import { PanelGatewayClient, type GatewayAnswer, type GatewayRequest } from '../gateway/panel-gateway.client.js';
import type { Visitor } from '../gateway/visitor.js';
import { SessionCookieService } from './session-cookie.service.js';
import { SessionStore, type StoredSession } from './session-store.js';
import { SessionErrors } from './sessions.errors.js';

/**
 * Calls the gateway as the user of a session, whose tokens never leave this server. Only a 401
 * answer to a refresh ends a session; other failures are temporary.
 */
@Injectable()
export class PanelSessionsService {
  /** Running refresh of each session, shared by concurrent requests of a page. */
  private readonly refreshing = new Map<string, Promise<StoredSession>>();

  constructor(
    private readonly gateway: PanelGatewayClient,
    private readonly store: SessionStore,
    private readonly cookie: SessionCookieService,
  ) {}

  /**
   * Starts a session with a token pair and returns its cookie value. Ends the previous session of
   * the browser.
   */
  async startSession(tokens: TokenResponse, visitor: Visitor, previousCookie: string | null): Promise<string> {
    const value = await this.store.add(tokens);
    if (previousCookie) await this.endByCookie(previousCookie, visitor);
    return value;
  }

  /**
   * Sends a request with the session's access token, which is refreshed shortly before it expires
   * and after a 401. Returns the answer of the gateway, also a refusal.
   *
   * @throws AppError 401 `not_signed_in` if the session has ended; 503 `gateway_unavailable` while
   * the gateway cannot answer.
   */
  callGateway(session: StoredSession, visitor: Visitor, request: GatewayRequest): Promise<GatewayAnswer> {
    return this.withToken(session, visitor, (accessToken) => this.gateway.callWithToken(visitor, request, accessToken));
  }

  /**
   * Calls `send` with the session's access token, which is refreshed shortly before it expires. If
   * the answer is a 401, it calls `send` again with a new token. If that is a 401 too, it removes
   * the session.
   *
   * @throws AppError 401 `not_signed_in` if the session has ended; 503 `gateway_unavailable` while
   * the gateway cannot answer.
   */
  async withToken<Answer extends { status: number }>(
    session: StoredSession,
    visitor: Visitor,
    send: (accessToken: string) => Promise<Answer>,
  ): Promise<Answer> {
    const current = session.isFresh ? session : await this.refresh(session, visitor);
    const answer = await send(current.tokens.accessToken);
    if (answer.status !== 401) return answer;
    // The token was refused, but the session can still be alive, for example after the gateway
    // replaced its signing keys. A refresh decides.
    const renewed = await this.refresh(current, visitor);
    const second = await send(renewed.tokens.accessToken);
    if (second.status === 401) return this.deleteSession(renewed);
    return second;
  }

  /**
   * Sends a request for the session's user with the service token. First calls the gateway with the
   * session itself, which refreshes its tokens and detects its end; if that is refused, it returns
   * the refusal. The gateway checks the session again, so a session that is revoked in between
   * approves nothing.
   *
   * @throws AppError 401 `not_signed_in` if the session has ended; 503 `gateway_unavailable` while
   * the gateway cannot answer.
   */
  async actFor(session: StoredSession, visitor: Visitor, request: GatewayRequest): Promise<GatewayAnswer> {
    const alive = await this.callGateway(session, visitor, { method: 'GET', path: '/v1/auth/me' });
    if (alive.status !== 200) return alive;
    return this.gateway.actingFor(visitor, request, session);
  }

  /**
   * Ends the session of a cookie value, if there is one, here and at the gateway. Sessions that
   * cannot be decrypted are removed only here, so that they do not return with their key.
   */
  endByCookie(value: string, visitor: Visitor): Promise<void> {
    return this.endSession({ key: sha256(value) }, visitor);
  }

  /**
   * Ends a session, if it exists: here at once, and at the gateway if it can be reached and the
   * tokens can be decrypted. If it cannot be reached, it writes a warning to the log. No other
   * place has the tokens.
   */
  async endSession({ key }: Pick<StoredSession, 'key'>, visitor: Visitor): Promise<void> {
    const removed = await this.store.remove(key);
    if (!removed) return;
    const body = { refresh_token: removed.tokens.refreshToken };
    await this.gateway
      .callPublicly(visitor, { method: 'POST', path: '/v1/auth/logout', body })
      .catch((error: unknown) =>
        currentContext()?.log.warn(
          { err: error, session_id: removed.gatewaySessionId },
          'signed out here, but not at the gateway',
        ),
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

  /**
   * Refreshes the tokens of a session and stores them. Several processes can refresh at the same
   * time: for 60 s the gateway gives each of them the same new tokens. If another one has stored
   * them first, it returns the stored session.
   *
   * @throws AppError 401 `not_signed_in` if the gateway answers 401, and the session is then
   * removed, or the session has ended meanwhile; 503 `gateway_unavailable` for any other refusal,
   * or if the gateway cannot answer.
   */
  private async rotate(session: StoredSession, visitor: Visitor): Promise<StoredSession> {
    const body = { refresh_token: session.tokens.refreshToken };
    const answer = await this.gateway.callPublicly(visitor, { method: 'POST', path: '/v1/auth/refresh', body });
    if (answer.status === 401) return this.deleteSession(session);
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

  private async deleteSession(session: StoredSession): Promise<never> {
    await this.store.remove(session.key);
    throw SessionErrors.notSignedIn(this.cookie.clear());
  }
}
