import type { DeveloperTier } from '@platform/contracts';
import type { EntityManager } from 'typeorm';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import { Developer } from './developer.entity.js';
import { priceOf } from './developer-tiers.js';
import type { LockedDeveloper } from './lock-developer.js';

interface TierChange {
  userId: string;
  /** As they are, locked. */
  before: LockedDeveloper;
  tier: DeveloperTier;
}

/** Without a payment. Returns when the tier ends. */
export async function setTier(
  em: EntityManager,
  { expiresAt, metadata = {}, ...change }: TierChange & { expiresAt: Date | null; metadata?: object },
): Promise<Date | null> {
  await em.update(Developer, { userId: change.userId }, { tier: change.tier, tierExpiresAt: expiresAt });
  await recordTier(em, 'developer.tier_changed', change, expiresAt, metadata);
  return expiresAt;
}

/**
 * For a year that is paid in this transaction. It begins where the one before ends (`from`), and without one now. Returns when it ends.
 *
 * @param change.term counts the years that they have paid, this one included.
 */
export async function startYear(
  em: EntityManager,
  { term, from = null, ...change }: TierChange & { term: number; from?: Date | null },
): Promise<Date> {
  const [[{ expires_at: expiresAt }]] = await em.query<[[{ expires_at: Date }], number]>(
    `UPDATE developers SET tier = $2, tier_term = $3, tier_expires_at = ${yearFrom('$4::timestamptz')}
     WHERE user_id = $1 RETURNING tier_expires_at AS expires_at`,
    [change.userId, change.tier, term, from],
  );
  const metadata = { credits: priceOf(change.tier), term };
  await recordTier(em, from ? 'developer.tier_renewed' : 'developer.tier_changed', change, expiresAt, metadata);
  return expiresAt;
}

/** A year after `from`, where that is still to come, and else a year from now. */
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
