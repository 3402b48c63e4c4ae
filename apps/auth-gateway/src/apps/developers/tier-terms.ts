import type { DeveloperTier } from '@platform/contracts';
import type { EntityManager } from 'typeorm';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import { Developer } from './developer.entity.js';
import { getTierPrice } from './developer-tiers.js';
import type { LockedDeveloper } from './lock-developer.js';

interface TierChange {
  userId: string;
  /** The locked row with the present tier. */
  before: LockedDeveloper;
  tier: DeveloperTier;
}

/**
 * Sets a tier without a payment, with an audit entry. Returns `expiresAt`, its end; null if it does
 * not end.
 */
export async function setTier(
  em: EntityManager,
  { expiresAt, metadata = {}, ...change }: TierChange & { expiresAt: Date | null; metadata?: object },
): Promise<Date | null> {
  await em.update(Developer, { userId: change.userId }, { tier: change.tier, tierExpiresAt: expiresAt });
  await recordTier(em, 'developer.tier_changed', change, expiresAt, metadata);
  return expiresAt;
}

/**
 * Starts a year of a tier that this transaction has paid. It begins at the end of the previous year
 * (`from`), or now if there is none or a year after `from` has passed too. Returns its end.
 *
 * @param change.term number of this paid year.
 */
export async function startTierYear(
  em: EntityManager,
  { term, from = null, ...change }: TierChange & { term: number; from?: Date | null },
): Promise<Date> {
  const [[{ expires_at: expiresAt }]] = await em.query<[[{ expires_at: Date }], number]>(
    `UPDATE developers SET tier = $2, tier_term = $3, tier_expires_at = ${yearFrom('$4::timestamptz')}
     WHERE user_id = $1 RETURNING tier_expires_at AS expires_at`,
    [change.userId, change.tier, term, from],
  );
  const metadata = { credits: getTierPrice(change.tier), term };
  await recordTier(em, from ? 'developer.tier_renewed' : 'developer.tier_changed', change, expiresAt, metadata);
  return expiresAt;
}

/**
 * SQL for the time a year after `from`, or a year from now if that time has passed or `from` is
 * null.
 */
const yearFrom = (from: string): string =>
  `CASE WHEN ${from} + interval '1 year' > billing_now() THEN ${from} ELSE billing_now() END + interval '1 year'`;

async function recordTier(
  em: EntityManager,
  action: string,
  { userId, before, tier }: TierChange,
  expiresAt: Date | null,
  metadata: object,
): Promise<void> {
  await recordAudit(em, {
    action,
    target: { type: 'developer', id: userId },
    tenantId: before.tenant_id,
    before: { tier: before.tier, expires_at: before.tier_expires_at },
    after: { tier, expires_at: expiresAt },
    metadata,
  });
}
