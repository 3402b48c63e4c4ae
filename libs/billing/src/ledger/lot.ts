/** Where credits came from. */
export const LOT_SOURCES = ['plan', 'promo', 'adjustment', 'topup', 'commission', 'refund'] as const;
export type LotSource = (typeof LOT_SOURCES)[number];

/**
 * Which lots are spent first: those with the lower number. Of the same number those that expire first. That of commissions is written in
 * `ledger_book_commissions` too, which makes their lots; a spec compares both.
 */
export const LOT_PRIORITIES: Record<LotSource, number> = { plan: 10, promo: 20, refund: 30, adjustment: 30, topup: 40, commission: 50 };

/** Credits of one origin in a wallet. They lie in the wallet's own row, so that spending is one UPDATE. */
export interface Lot {
  source: LotSource;
  priority: number;
  /** UTC, as PostgreSQL writes it; null for credits that do not expire. */
  expires_at: string | null;
  /** Whether the developer of an app earns a share when these are spent: bought, of a paid plan, or adjusted as paid. */
  earns: boolean;
  amount: number;
}
