import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { UserCaller } from '@platform/guards';
import { queryPrepared } from '@platform/persistence';
import { LOGGER } from '@platform/platform';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import type { User } from '../users/user.entity.js';
import { ACCOUNT_COLUMNS, ACCOUNT_JOINS, effectiveScopes, type Account } from './account.js';

/** A revoked session, a demotion, a changed profile are noticed within this time by every process. */
const MAX_AGE_MS = 5_000;
const CACHED_SESSIONS = 50_000;
const TOUCH_EVERY_MS = 10_000;

type Profile = Pick<
  User,
  'firstName' | 'lastName' | 'agencyId' | 'authMethod' | 'attributes' | 'casesUserId' | 'createdAt' | 'lastLoginAt'
>;

/** The user of a live session, with their current role, scopes and profile. */
export interface SignedInUser extends UserCaller {
  sessionId: string;
  email: string;
  orgId: string | null;
  profile: Profile;
}

interface Row extends Account {
  first_name: string | null;
  last_name: string | null;
  agency_id: string | null;
  auth_method: string;
  attributes: Record<string, unknown>;
  cases_user_id: number | null;
  created_at: Date;
  last_login_at: Date | null;
}

/**
 * Who is signed in, by session. What is read is kept for 5 s, so that a busy session costs one statement in that time and a revoked
 * one stops working within it.
 */
@Injectable()
export class SignedInUsers implements OnApplicationShutdown {
  private readonly cache = new LRUCache<string, SignedInUser>({ max: CACHED_SESSIONS, ttl: MAX_AGE_MS, ttlAutopurge: false });
  private readonly loading = new Map<string, Promise<SignedInUser | null>>();
  private readonly seen = new Set<string>();
  /** Counts what was forgotten, so that a read which began before is not kept. */
  private forgotten = 0;
  private readonly touching = setInterval(() => void this.touch(), TOUCH_EVERY_MS).unref();

  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Null when the session is over, or its user may no longer sign in. */
  find(sessionId: string): Promise<SignedInUser | null> | SignedInUser {
    const known = this.cache.get(sessionId);
    if (known) return known;
    const running = this.loading.get(sessionId);
    if (running) return running;
    const load = this.load(sessionId).finally(() => this.loading.delete(sessionId));
    this.loading.set(sessionId, load);
    return load;
  }

  /** For the process that changed something: it need not wait for its own copy to grow old. */
  forget(sessionId: string): void {
    this.forgotten++;
    this.cache.delete(sessionId);
    this.loading.delete(sessionId);
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.touching);
    await this.touch();
  }

  private async load(sessionId: string): Promise<SignedInUser | null> {
    const { forgotten } = this;
    const [row] = await queryPrepared<Row>(
      this.dataSource,
      `SELECT ${ACCOUNT_COLUMNS}, u.first_name, u.last_name, u.agency_id, u.auth_method, u.attributes, u.cases_user_id, u.created_at, u.last_login_at
       FROM sessions s JOIN users u ON u.id = s.user_id ${ACCOUNT_JOINS}
       WHERE s.id = $1 AND s.revoked_at IS NULL AND s.idle_expires_at > now() AND s.absolute_expires_at > now()
         AND u.is_active AND t.is_active AND u.email_verified_at IS NOT NULL`,
      [sessionId],
    );
    if (!row) return null;
    const user = toSignedInUser(row, sessionId);
    this.seen.add(sessionId);
    if (forgotten === this.forgotten) this.cache.set(sessionId, user);
    return user;
  }

  /** Notes activity for all sessions seen lately in one statement, off the request path and at most once a minute for each. */
  private async touch(): Promise<void> {
    if (!this.seen.size) return;
    const ids = [...this.seen];
    this.seen.clear();
    await this.dataSource
      .query("UPDATE sessions SET last_seen_at = now() WHERE id = ANY ($1) AND last_seen_at < now() - interval '60 seconds'", [ids])
      .catch((error: unknown) => this.logger.warn({ err: error }, 'could not note when sessions were last seen'));
  }
}

const toSignedInUser = (row: Row, sessionId: string): SignedInUser => ({
  kind: 'user',
  userId: row.user_id,
  tenantId: row.tenant_id,
  sessionId,
  role: row.role,
  scopes: effectiveScopes(row),
  email: row.email,
  orgId: row.org_id,
  profile: {
    firstName: row.first_name,
    lastName: row.last_name,
    agencyId: row.agency_id,
    authMethod: row.auth_method,
    attributes: row.attributes,
    casesUserId: row.cases_user_id,
    createdAt: row.created_at,
    lastLoginAt: row.last_login_at,
  },
});
