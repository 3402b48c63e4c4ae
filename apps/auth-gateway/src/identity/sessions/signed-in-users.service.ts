import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { BillingProfile } from '@platform/contracts';
import type { UserCaller } from '@platform/guards';
import { BroadcastService } from '@platform/messaging';
import { columns, queryPrepared, type RowOf } from '@platform/persistence';
import { LOGGER } from '@platform/platform';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { User } from '../accounts/user.entity.js';
import { ACCOUNT_COLUMNS, ACCOUNT_JOINS, getEffectiveScopes, type Account } from './signed-in-account.js';
import { CredentialCache } from './credential.cache.js';
import type { Session } from './session.entity.js';

type Profile = Pick<
  User,
  'firstName' | 'lastName' | 'agencyId' | 'authMethod' | 'attributes' | 'casesUserId' | 'createdAt' | 'lastLoginAt'
> & {
  /**
   * Billing profile for invoices; null if never set. Only for the user: responses that show
   * `attributes` to others do not contain it.
   */
  billing: BillingProfile | null;
};

/** User with their current role, scopes and profile. */
export interface AuthenticatedUser extends UserCaller {
  email: string;
  orgId: string | null;
  profile: Profile;
}

/** User of a live session. */
export interface SignedInUser extends AuthenticatedUser {
  sessionId: string;
}

/**
 * Notifications of a user with changed rights, profile or state, and of a tenant in which many
 * users may have changed.
 */
export const USER_CHANGED = 'user-changed';
export const TENANT_CHANGED = 'tenant-changed';
/** Notification of ended sessions, with their ids. */
export const SESSION_ENDED = 'session-ended';

const USER_PROFILE_COLUMNS = columns(
  User,
  ['firstName', 'lastName', 'agencyId', 'authMethod', 'casesUserId', 'createdAt', 'lastLoginAt'],
  'u',
);

export type ProfileRow = Account &
  RowOf<typeof USER_PROFILE_COLUMNS> &
  Pick<User, 'attributes'> &
  Pick<Profile, 'billing'>;

/** Columns of `ProfileRow`, over the same tables as `ACCOUNT_COLUMNS`. */
export const PROFILE_COLUMNS = `${ACCOUNT_COLUMNS}, ${USER_PROFILE_COLUMNS},
  u.attributes || coalesce((SELECT jsonb_build_object('developer_tier', d.tier) FROM developers d WHERE d.user_id = u.id), '{}') AS attributes,
  (SELECT jsonb_build_object('name', b.name, 'company', b.company, 'vat', b.vat, 'country', b.country)
   FROM billing_profiles b WHERE b.user_id = u.id) AS billing`;

/** SQL condition: the user can still use credentials that were issued before. */
export const ACCOUNT_IS_USABLE = 'u.is_active AND t.is_active';

/** SQL condition: the session `s` has not ended. */
export const SESSION_IS_ALIVE = 's.revoked_at IS NULL AND s.idle_expires_at > now() AND s.absolute_expires_at > now()';

/** User of the session `$1`, if it can be used. */
export const SIGNED_IN_USER = `
  SELECT ${PROFILE_COLUMNS}, s.surface
  FROM sessions s JOIN users u ON u.id = s.user_id ${ACCOUNT_JOINS}
  WHERE s.id = $1 AND ${SESSION_IS_ALIVE} AND ${ACCOUNT_IS_USABLE}`;

/**
 * Finds the users of active sessions, with a cache. Every process sees a revoked session, changed
 * rights and a changed profile within 5 s.
 */
@Injectable()
export class SignedInUsersService implements OnApplicationShutdown {
  private readonly cache: CredentialCache<SignedInUser>;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(LOGGER) logger: Logger,
    broadcast: BroadcastService,
  ) {
    this.cache = new CredentialCache({ load: (id) => this.loadUser(id), touch: (ids) => this.recordUses(ids) }, logger);
    broadcast.subscribe(SESSION_ENDED, (sessionId) => this.cache.evict(sessionId));
    broadcast.subscribe(USER_CHANGED, (changed) => this.cache.evictWhere(({ userId }) => userId === changed));
    broadcast.subscribe(TENANT_CHANGED, (changed) => this.cache.evictWhere(({ tenantId }) => tenantId === changed));
  }

  /**
   * Returns the user of a session, with their current rights. The data is at most 5 s old. The time
   * of the use is stored a moment later, at most once a minute. Null if there is no such session,
   * it has ended, or its user can no longer sign in.
   */
  findSignedInUser(sessionId: string): Promise<SignedInUser | null> | SignedInUser {
    return this.cache.findHolder(sessionId);
  }

  onApplicationShutdown(): Promise<void> {
    return this.cache.close();
  }

  private async loadUser(sessionId: string): Promise<SignedInUser | null> {
    const [row] = await queryPrepared<ProfileRow & Pick<Session, 'surface'>>(this.dataSource, SIGNED_IN_USER, [
      sessionId,
    ]);
    if (!row) return null;
    this.cache.noteUse(sessionId);
    return { ...toAuthenticatedUser(row), sessionId, ...(row.surface === 'cli' && { isTerminal: true }) };
  }

  private async recordUses(ids: string[]): Promise<void> {
    await this.dataSource.query(
      "UPDATE sessions SET last_seen_at = now() WHERE id = ANY ($1) AND last_seen_at < now() - interval '60 seconds'",
      [ids],
    );
  }
}

export const toAuthenticatedUser = (row: ProfileRow): AuthenticatedUser => ({
  kind: 'user',
  userId: row.user_id,
  tenantId: row.tenant_id,
  role: row.role,
  scopes: getEffectiveScopes(row),
  email: row.email,
  orgId: row.org_id,
  profile: {
    firstName: row.first_name,
    lastName: row.last_name,
    agencyId: row.agency_id,
    authMethod: row.auth_method,
    attributes: row.attributes,
    billing: row.billing,
    casesUserId: row.cases_user_id,
    createdAt: row.created_at,
    lastLoginAt: row.last_login_at,
  },
});
