import { Injectable } from '@nestjs/common';
import { challengeOf } from '@platform/client/pkce';
import { loopbackRedirect } from '@platform/contracts';
import type { CliCodeRequest, CliCodeResponse, CliTokenRequest, TokenResponse } from '@platform/contracts';
import { columns, RetentionService, type Row, type RowOf } from '@platform/persistence';
import { currentContext, randomToken, safeEqual, sha256 } from '@platform/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { AccountDeletionService, rowsOfUser } from '../../kernel/account-deletion/account-deletion.service.js';
import { getAccount, type Account } from '../sessions/signed-in-account.js';
import type { Client } from '../sessions/client.js';
import type { ActingUser } from '../credentials/gateway-credentials.service.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { accountDisabledError, assertCanAuthenticate, canAuthenticate } from '../accounts/can-authenticate.js';
import { CliCode } from './cli-code.entity.js';
import { CliLoginErrors } from './cli-login.errors.js';

const LIFETIME_SECONDS = 60;

const CLAIMED = columns(CliCode, ['userId', 'credentialsEpoch', 'codeChallenge', 'redirectUri']);
type ClaimedCode = RowOf<typeof CLAIMED>;

/**
 * Login codes for one use that the panel gives to a command line on the same machine (RFC 6749
 * section 4.1 with RFC 7636 and RFC 8252).
 */
@Injectable()
export class CliCodesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: SessionsService,
    retention: RetentionService,
    accountDeletion: AccountDeletionService,
  ) {
    // A second use of a code is detected as long as its row exists.
    retention.registerExpiredRows({
      table: 'cli_codes',
      key: 'code_hash',
      where: "expires_at < now() - interval '30 days'",
    });
    accountDeletion.addAccessStep(rowsOfUser('cli_codes'));
  }

  /**
   * Creates a login code for the user. It works once, within 60 seconds, with the verifier of its
   * challenge and, if the request has one, with the same redirect.
   *
   * @throws AppError 403 `account_disabled` if the user or the tenant is deactivated.
   */
  async createCliCode(
    { userId, credentialsEpoch }: ActingUser,
    { code_challenge, redirect_uri }: CliCodeRequest,
  ): Promise<CliCodeResponse> {
    const code = randomToken();
    const redirect = loopbackRedirect(redirect_uri ?? '');
    // The locks order this statement and a deactivation of the tenant: either the deactivation
    // finds the code, or this statement finds the tenant inactive. For the user, the epoch
    // invalidates the code.
    const minted = await this.dataSource.query<unknown[]>(
      `WITH minting AS (
         SELECT u.id FROM users u JOIN tenants t ON t.id = u.tenant_id WHERE u.id = $2 AND u.is_active AND t.is_active FOR SHARE)
       INSERT INTO cli_codes (code_hash, user_id, credentials_epoch, code_challenge, redirect_uri, expires_at)
       SELECT $1, id, $5, $3, $4, now() + interval '${LIFETIME_SECONDS} seconds' FROM minting RETURNING 1`,
      [sha256(code), userId, code_challenge, redirect, credentialsEpoch],
    );
    if (!minted.length) throw accountDisabledError();
    return { code, expires_in: LIFETIME_SECONDS, redirect_uri: redirect };
  }

  /**
   * Exchanges a login code for tokens, once. The code is used up before it is checked, so a wrong
   * verifier or redirect also uses it up. A second use means that another person has the code; it
   * ends the session that was started with the code (RFC 6749 section 4.1.2).
   *
   * @throws AppError 400 `invalid_grant` if the code is unknown, used or expired, if the verifier
   * or the redirect is wrong, or if the password was changed or the user signed out everywhere
   * since; 403 `account_disabled` if the user can no longer sign in.
   */
  async exchangeCliCode(request: CliTokenRequest, client: Client): Promise<TokenResponse> {
    const codeHash = sha256(request.code);
    const used = await this.dataSource.transaction(async (em) => {
      const claimed = await this.claimCode(em, codeHash);
      if (!claimed || !matches(claimed, request)) return null;
      return this.startSession(em, codeHash, claimed, client);
    });
    if (used?.id) return this.sessions.issueTokens(used.account, { id: used.id, surface: 'cli' });
    if (used) assertCanAuthenticate(used.account);
    else await this.endForReuse(codeHash);
    throw CliLoginErrors.invalidGrant();
  }

  private async claimCode(em: EntityManager, codeHash: Buffer): Promise<ClaimedCode | undefined> {
    const [rows] = await em.query<[ClaimedCode[], number]>(
      `UPDATE cli_codes SET consumed_at = now() WHERE code_hash = $1 AND consumed_at IS NULL AND expires_at > now()
       RETURNING ${CLAIMED}`,
      [codeHash],
    );
    return rows[0];
  }

  /**
   * Starts the session of a used code. The `id` is null if the user cannot sign in, or if all
   * logins of the user ended after the code was made, for example by a new password. The code stays
   * used up.
   */
  private async startSession(
    em: EntityManager,
    codeHash: Buffer,
    { user_id: userId, credentials_epoch: credentialsEpoch }: ClaimedCode,
    client: Client,
  ): Promise<{ id: string | null; account: Account }> {
    const account = await getAccount(em, userId);
    if (!canAuthenticate(account)) return { id: null, account };
    const id = await this.sessions.startSession(
      em,
      userId,
      { ...client, surface: 'cli' },
      { method: 'terminal_code', credentialsEpoch },
    );
    if (id) await em.query('UPDATE cli_codes SET session_id = $2 WHERE code_hash = $1', [codeHash, id]);
    return { id, account };
  }

  private async endForReuse(codeHash: Buffer): Promise<void> {
    const [used] = await this.dataSource.query<Row<CliCode, 'sessionId'>[]>(
      'SELECT session_id FROM cli_codes WHERE code_hash = $1',
      [codeHash],
    );
    if (!used?.session_id) return;
    await this.sessions.endSession(used.session_id, 'code_reuse');
    currentContext()?.log.warn(
      { session_id: used.session_id },
      'a one-time code was used again; the session that it started is revoked',
    );
  }
}

/**
 * True if the request has the verifier and the redirect of the code. It must have a redirect if,
 * and only if, the code has one (RFC 6749 section 4.1.3). Both are compared in their stored form.
 */
function matches(code: ClaimedCode, { code_verifier, redirect_uri }: CliTokenRequest): boolean {
  if (!safeEqual(challengeOf(code_verifier), code.code_challenge)) return false;
  const sent = redirect_uri ?? null;
  if (sent === null || code.redirect_uri === null) return sent === code.redirect_uri;
  return loopbackRedirect(sent) === code.redirect_uri;
}
