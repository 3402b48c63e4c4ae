/** Origins of credits. */
export const LOT_SOURCES = ['plan', 'promo', 'adjustment', 'topup', 'commission', 'refund'] as const;
export type LotSource = (typeof LOT_SOURCES)[number];

/**
 * Order of spending: lots with a lower number are spent first. Among equal numbers the lot that
 * expires first is spent first. The database function `ledger_book_commissions` creates the lots of
 * commissions and repeats their number; a spec compares both.
 */
export const LOT_PRIORITIES: Record<LotSource, number> = {
  plan: 10,
  promo: 20,
  refund: 30,
  adjustment: 30,
  topup: 40,
  commission: 50,
};

/**
 * Credits of one origin in a wallet. The lots are stored in the wallet's own row, so that spending
 * is one UPDATE.
 */
export interface Lot {
  source: LotSource;
  priority: number;
  /** UTC, as PostgreSQL writes it; null for credits that do not expire. */
  expires_at: string | null;
  /**
   * True if spending these credits earns the app's developer a share: credits that were bought,
   * that a paid plan includes, or that an adjustment marks as paid.
   */
  earns: boolean;
  amount: number;
}
