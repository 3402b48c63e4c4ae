import { Injectable } from '@nestjs/common';
import { columns, numberOrNull, type OrNull, type RowOf, type TenantData } from '@platform/persistence';
import { DEFAULT_SPENDING_LIMITS, type SpendingClass } from '../ledger/spending-class.js';
import { WalletErrors } from '../ledger/wallet.errors.js';
import { CURRENT_MONTH_SQL } from './current-month.js';
import { SpendingLimits } from './spending-limits.entity.js';

/** Credits that can be spent in a month; null for no limit. */
export type SpendingLimitsByClass = Record<SpendingClass, number | null>;

/** Limits for spending without the user in the current month, and the credits already spent. */
export interface SpendingState {
  limits: SpendingLimitsByClass;
  /** Includes credits that are reserved for running calls. */
  spent: Record<SpendingClass, number>;
  /** Billing time, UTC. */
  monthStartsAt: Date;
  resetsAt: Date;
}

const LIMITS = columns(SpendingLimits, ['userId', 'unattended', 'otherApps'], 'l');
type LimitsRow = RowOf<typeof LIMITS>;
type StateRow = OrNull<LimitsRow> & {
  unattended_spent: string;
  other_apps_spent: string;
  month_starts_at: Date;
  resets_at: Date;
};

/**
 * Reads and changes users' monthly limits for spending without them. The database enforces the
 * limits when credits are reserved (`ledger_hold`).
 */
@Injectable()
export class SpendingSettingsService {
  /**
   * Reads the user's limits and the credits spent in the current month. Limits that were never
   * changed have their defaults.
   *
   * @throws Error if the user does not exist.
   */
  async getSpendingState(tenant: TenantData, userId: string): Promise<SpendingState> {
    const [row] = await tenant.query<StateRow>(
      `SELECT ${LIMITS}, month.starts_at AS month_starts_at, month.ends_at AS resets_at,
         coalesce(sum(s.spent) FILTER (WHERE s.class = 'unattended'), 0)::text AS unattended_spent,
         coalesce(sum(s.spent) FILTER (WHERE s.class = 'other_apps'), 0)::text AS other_apps_spent
       FROM users u CROSS JOIN ${CURRENT_MONTH_SQL} LEFT JOIN spending_limits l ON l.user_id = u.id
         LEFT JOIN wallets w ON w.user_id = u.id AND w.kind = 'user' LEFT JOIN spending s ON s.wallet_id = w.id AND s.month = month.day
       WHERE u.tenant_id = $tenant AND u.id = $1 GROUP BY l.user_id, month.starts_at, month.ends_at`,
      [userId],
    );
    if (!row) throw new Error(`There is no user ${userId}: no spending can be read.`);
    return {
      limits: limitsOf(row),
      spent: { unattended: Number(row.unattended_spent), other_apps: Number(row.other_apps_spent) },
      monthStartsAt: row.month_starts_at,
      resetsAt: row.resets_at,
    };
  }

  /**
   * Changes the given limits in the caller's transaction, which `tenant` carries, and returns all
   * limits before and after. A limit below the amount already spent blocks further spending in this
   * month.
   *
   * @throws AppError 409 `wallet.closed` if the user does not exist or was deleted.
   */
  async updateLimits(
    tenant: TenantData,
    userId: string,
    changes: Partial<SpendingLimitsByClass>,
  ): Promise<{ before: SpendingLimitsByClass; after: SpendingLimitsByClass }> {
    await tenant.query(
      `INSERT INTO spending_limits (user_id, unattended, other_apps) SELECT id, $2, $3 FROM users
       WHERE tenant_id = $tenant AND id = $1 AND erased_at IS NULL FOR KEY SHARE
       ON CONFLICT (user_id) DO NOTHING`,
      [userId, DEFAULT_SPENDING_LIMITS.unattended, DEFAULT_SPENDING_LIMITS.other_apps],
    );
    const [row] = await tenant.query<LimitsRow>(
      `SELECT ${LIMITS} FROM spending_limits l JOIN users u ON u.id = l.user_id WHERE u.tenant_id = $tenant AND u.id = $1 FOR UPDATE OF l`,
      [userId],
    );
    if (!row) throw WalletErrors.closed();
    const before = limitsOf(row);
    const after = { ...before, ...changes };
    await tenant.query(
      `UPDATE spending_limits SET unattended = $2, other_apps = $3, updated_at = now()
       WHERE user_id = (SELECT id FROM users WHERE tenant_id = $tenant AND id = $1)`,
      [userId, after.unattended, after.other_apps],
    );
    return { before, after };
  }
}

/** Limits of a user; the defaults if the user has no row. */
const limitsOf = ({ user_id, unattended, other_apps }: OrNull<LimitsRow>): SpendingLimitsByClass =>
  user_id === null
    ? DEFAULT_SPENDING_LIMITS
    : { unattended: numberOrNull(unattended), other_apps: numberOrNull(other_apps) };
