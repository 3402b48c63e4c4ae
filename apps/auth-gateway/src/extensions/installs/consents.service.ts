import { Injectable } from '@nestjs/common';
import { formatCredits } from '@platform/billing';
import {
  commonScopes,
  hasScope,
  keyOf,
  intersectNarrowings,
  narrowingOf,
  type OriginKey,
  type UserCaller,
} from '@platform/guards';
import { TenantData, type Row } from '@platform/persistence';
import { DataSource, type EntityManager } from 'typeorm';
import { lockAccount } from '../../identity/accounts/lock-account.js';
import { publishEvent } from '../../kernel/events/publish-event.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import { GRANTED_SCOPES, GRANTING_KEY_IS_INVALID } from '../../apps/reach/granted-scopes.js';
import { AppPricesRepository, type PriceVersion } from '../../apps/prices/app-prices.repository.js';
import { scopeConsent } from '../access/scope-consent.js';
import { UserNotificationsService } from '../notifications/user-notifications.service.js';
import type { InstallState } from './install-copies.service.js';
import type { Install } from './install.entity.js';

const ASKED_AT_ONCE = 500;
const MOST_SCOPES_NAMED = 20;
const MOST_PRICES_NAMED = 10;

/** Version of an app that a user agrees to. */
export interface AgreedVersion {
  version: string | null;
  requested_scopes: string[];
  /** Null for a free app. */
  price_version: number | null;
}

export type PriceConsent = 'shown' | 'first' | 'none';

/** Scopes and price that a user has agreed to. */
export interface Agreement {
  scopes: string[];
  /** Null if the user agreed to no price. */
  price_version: number | null;
}

/** Scopes that an installation grants. */
interface Grant {
  scopes: string[];
  /**
   * API keys behind the granted scopes. Without one of them, only the scopes granted in person
   * remain. Null if no key granted any.
   */
  key: OriginKey | null;
  /** Scopes granted without a key; null if a key installed the app. */
  in_person: string[] | null;
}

interface Waiting {
  user_id: string;
  tenant_id: string;
  version: string;
  display_name: string;
  requested_scopes: string[];
  granted_scopes: string[];
  /** True if the price for this user differs from the one that they agreed to. */
  is_other_price: boolean;
  price_version: number | null;
}

/** Scopes that users granted to their installed apps. */
@Injectable()
export class ConsentsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly notifications: UserNotificationsService,
    private readonly prices: AppPricesRepository,
  ) {}

  /**
   * Stores that the user agreed to the version that they were shown, and returns the scopes and the
   * price that they have agreed to now. If the installation changed meanwhile, stores nothing and
   * returns no scopes and no price. An API key adds at most its own scopes, which end with the key.
   * It removes only scopes that the version no longer requests. It agrees to a price like the user
   * in person.
   *
   * @param to `shown`: the user also agrees to the price, which they were shown. `first`: also to
   * the price, if they have agreed to none so far. `none`: the agreed price stays.
   */
  async recordConsent(
    em: EntityManager,
    user: UserCaller,
    { app_id, revision }: InstallState,
    agreed: AgreedVersion,
    to: PriceConsent,
  ): Promise<Agreement> {
    await lockAccount(em, user.userId);
    const tenant = new TenantData(em, user.tenantId);
    const [before] = await tenant.query<Grant & Row<Install, 'agreedPriceVersion'>>(
      `SELECT ${GRANTED_SCOPES} AS scopes, CASE WHEN NOT ${GRANTING_KEY_IS_INVALID} THEN i.granted_by END AS key,
         CASE WHEN i.granted_by IS NULL THEN i.granted_scopes ELSE i.granted_in_person END AS in_person, i.agreed_price_version
       FROM installs i WHERE tenant_id = $tenant AND user_id = $1 AND app_id = $2 AND revision = $3 AND removed_at IS NULL FOR NO KEY UPDATE`,
      [user.userId, app_id, revision],
    );
    if (!before) return { scopes: [], price_version: null };
    const toPrice = to === 'shown' || (to === 'first' && before.agreed_price_version === null);
    if (toPrice) await agreeToPrice(tenant, user, app_id, before.agreed_price_version, agreed);
    const { requested_scopes: requested, version } = agreed;
    const after =
      narrowingOf(user) === null
        ? { scopes: [...requested].sort(), key: null, in_person: null }
        : addToGrant(before, user, requested);
    const changed = await tenant.query(
      `UPDATE installs SET granted_scopes = $3, granted_by = $4, granted_in_person = $5
       WHERE tenant_id = $tenant AND user_id = $1 AND app_id = $2
         AND (granted_scopes, granted_by, granted_in_person) IS DISTINCT FROM ($3::text[], $4::jsonb, $5::text[]) RETURNING 1`,
      [user.userId, app_id, after.scopes, after.key && JSON.stringify(after.key), after.key && after.in_person],
    );
    if (changed.length) {
      await recordAudit(em, {
        action: 'app.scopes_granted',
        target: { type: 'app', id: app_id },
        tenantId: user.tenantId,
        before: { scopes: before.scopes },
        after: { scopes: after.scopes },
        metadata: { user_id: user.userId, version },
      });
      const { tenantId, userId } = user;
      await publishEvent(em, {
        type: 'marketplace.scopes_granted',
        tenantId,
        userId,
        data: { app_id, scopes: after.scopes },
      });
    }
    return { scopes: after.scopes, price_version: toPrice ? agreed.price_version : before.agreed_price_version };
  }

  /**
   * Notifies the users of a published app if its served version asks for scopes that they have not
   * granted. Each user is notified once per version; a retry notifies no user again.
   *
   * @param userIds only these users. Default: all who have the app.
   */
  async notifyMissingScopes(appId: string, userIds?: readonly string[]): Promise<void> {
    while ((await this.notifyBatch(appId, userIds)) === ASKED_AT_ONCE);
  }

  private notifyBatch(appId: string, userIds: readonly string[] | undefined): Promise<number> {
    return this.dataSource.transaction(async (em) => {
      const [waiting] = await em.query<[Waiting[], number]>(
        `WITH served AS (
           SELECT v.version, v.requested_scopes, a.display_name, a.developer_id, a.price_version FROM apps a
             JOIN app_versions v ON v.app_id = a.app_id AND v.version = a.served_version
           WHERE a.app_id = $1 AND a.status = 'active' AND NOT a.system
         ), waiting AS (
           SELECT i.user_id FROM installs i, served s
           WHERE i.app_id = $1 AND i.removed_at IS NULL AND i.asked_version IS DISTINCT FROM s.version
             AND NOT ${GRANTED_SCOPES} @> s.requested_scopes AND ($2::text[] IS NULL OR i.user_id = ANY ($2))
           ORDER BY i.user_id LIMIT ${ASKED_AT_ONCE} FOR NO KEY UPDATE OF i
         )
         UPDATE installs i SET asked_version = s.version FROM served s, waiting w WHERE i.app_id = $1 AND i.user_id = w.user_id
         RETURNING i.user_id, i.tenant_id, s.version, s.display_name, s.requested_scopes, ${GRANTED_SCOPES} AS granted_scopes, s.price_version,
           i.user_id IS DISTINCT FROM s.developer_id AND i.agreed_price_version IS DISTINCT FROM s.price_version AS is_other_price`,
        [appId, userIds ?? null],
      );
      const prices = await this.prices.findPrice(appId, waiting[0]?.price_version ?? null, em);
      for (const { user_id, tenant_id, ...asked } of waiting) {
        const { missing_scopes: missing } = scopeConsent(asked.requested_scopes, asked.granted_scopes);
        if (!missing.length) continue;
        await this.notifications.storeNotification(em, {
          app_id: 'marketplace',
          user_id,
          tenant_id,
          subject: `${asked.display_name} asks for more permissions`,
          message: messageOf({ ...asked, app_id: appId }, missing, asked.is_other_price ? ` ${costText(prices)}` : ''),
        });
      }
      return waiting.length;
    });
  }
}

async function agreeToPrice(
  tenant: TenantData,
  { userId, tenantId }: UserCaller,
  appId: string,
  before: number | null,
  { version, price_version: after }: AgreedVersion,
): Promise<void> {
  if (before === after) return;
  await tenant.query(
    'UPDATE installs SET agreed_price_version = $3 WHERE tenant_id = $tenant AND user_id = $1 AND app_id = $2',
    [userId, appId, after],
  );
  await recordAudit(tenant.em, {
    action: 'app.price_agreed',
    target: { type: 'app', id: appId },
    tenantId,
    before: { price_version: before },
    after: { price_version: after },
    metadata: { user_id: userId, version },
  });
}

/**
 * Returns the grant of an installation after an API key added its scopes. It depends on no key if
 * all scopes were granted in person; on this key alone if it could have granted the others; on the
 * earlier keys if this key adds nothing; otherwise on all of these keys.
 */
function addToGrant({ scopes, key, in_person }: Grant, user: UserCaller, requested: readonly string[]): Grant {
  const added = commonScopes(requested, user.scopes);
  const after = mergeScopes(added, scopes, requested);
  const isCoveredBy = (granted: readonly string[]): boolean => after.every((scope) => hasScope(granted, scope));
  const own = keyOf(user);
  if (in_person && isCoveredBy(in_person)) return { scopes: after, key: null, in_person };
  if (isCoveredBy([...added, ...(in_person ?? [])])) return { scopes: after, key: own, in_person };
  return { scopes: after, key: key && isCoveredBy(scopes) ? key : union(key, own), in_person };
}

/** Two keys as one that ends when either of them ends. */
const union = (some: OriginKey | null, other: OriginKey | null): OriginKey | null =>
  intersectNarrowings({ scopes: [], key: some }, { scopes: [], key: other }).key;

/**
 * Scopes after a key added its own to those that its owner granted before and the version still
 * requests.
 */
const mergeScopes = (added: readonly string[], before: readonly string[], requested: readonly string[]): string[] =>
  [...new Set([...added, ...commonScopes(before, requested)])].sort();

/** Text with the current price, which differs from the agreed one. */
function costText(prices: PriceVersion | null): string {
  if (!prices) return 'It is free now.';
  const other = 'You agreed to another price.';
  if (prices.model === 'subscription')
    return `It costs ${formatCredits(prices.monthlyPrice)} a month at present. ${other}`;
  const all = Object.entries(prices.functionPrices).sort(([, some], [, others]) => others - some);
  const named = all
    .slice(0, MOST_PRICES_NAMED)
    .map(([name, credits]) => `${formatCredits(credits)} per call of ${name}`);
  return `It costs ${named.join(', ')}${all.length > named.length ? ` and no more for ${all.length - named.length} others` : ''} at present. ${other}`;
}

function messageOf(
  { app_id, display_name, version }: Pick<Waiting, 'display_name' | 'version'> & { app_id: string },
  missing: readonly string[],
  cost: string,
): string {
  const more = missing.length > MOST_SCOPES_NAMED ? ` and ${missing.length - MOST_SCOPES_NAMED} more` : '';
  const named = missing.slice(0, MOST_SCOPES_NAMED).join(', ');
  return `Version ${version} of ${display_name} asks for ${named}${more}.${cost} Until you agree, it runs for you without these scopes. To agree, install it again, or run: platform installs consent ${app_id}`;
}
