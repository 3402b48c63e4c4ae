import type { EntryKind } from './ledger-booking.entity.js';
import type { LotSource } from './lot.js';
import type { SpendingClass } from './spending-class.js';

interface Movement {
  /**
   * Unique on the platform and for ever, for example `payout:17`. The same movement with the same
   * key changes nothing. Build it from ids of the platform. A text that a client chose must never
   * be the whole key.
   */
  key: string;
  /** Whole credits, from 1 to `MAX_CREDITS` of the contracts. */
  amount: number;
  kind: EntryKind;
  /** Id of the thing that caused the movement, for example an action or a payout. */
  ref?: string;
  description?: string;
}

/** Credits that enter a wallet. */
export interface Credit extends Movement {
  source: LotSource;
  /** True if developers earn a share when these credits are spent. */
  earns: boolean;
  /** Absent for credits that do not expire. */
  expiresAt?: Date;
}

/** Function that a charge pays for, and the developer with a share of the charge. */
export interface ChargedFunction {
  appId: string;
  function?: string;
  /** Version of the price in `app_prices`. */
  priceVersion?: number;
  /** Absent if the charge has no share. */
  developer?: { id: string; split: number };
  /** Part of the amount from which the share is computed; the whole amount if absent. */
  base?: number;
}

/** Credits that are spent immediately. */
export interface Debit extends Movement {
  charged?: ChargedFunction;
  /**
   * `debt`: the missing credits become a debt instead of a refusal, and the user's earnings pay it
   * immediately. Use it for work that is already done.
   */
  shortfall?: 'debt';
}

/**
 * A reservation: credits that nothing else can spend until the reservation is captured, is released
 * or expires.
 */
export interface Reservation {
  /** Unique like the key of a movement. The same reservation again extends its time. */
  id: string;
  amount: number;
  /** Lifetime of the reservation in seconds. */
  seconds: number;
  /**
   * Key of the movement that will pay, if it differs from `id`. If that movement exists, nothing is
   * reserved and the outcome is `paid`.
   */
  paidBy?: string;
  /**
   * Spending limit of the user that the reservation counts for. Absent if the user spends in
   * person.
   */
  spendingClass?: SpendingClass;
}

/** A capture: spends credits of a reservation, at most its amount. The rest is available again. */
export interface Capture extends Movement {
  reservationId: string;
  charged?: ChargedFunction;
}

export interface Reversal extends Movement {
  /** Key of the debit that is given back, completely or in part. */
  reverses: string;
}

/**
 * A clawback of credits after their money was refunded or disputed. Credits that the wallet lacks
 * are taken from the user's earnings. The rest becomes a debt.
 */
export interface Clawback extends Movement {
  kind: 'refund' | 'dispute';
  /** Origin of the credits that the payment bought. They are taken first. */
  source: LotSource;
}

/** Undoes a clawback, because the money stayed with the platform after all. */
export interface ClawbackReversal {
  kind: Clawback['kind'];
  /** Key of the clawback. */
  reverses: string;
  ref?: string;
}

/**
 * Outcome of a movement. `done`: it was made. `replayed`: it had been made before. `paid`: the
 * payment of this reservation exists already. All others are refusals and change nothing:
 *
 * - `key_reused`: a different movement has this key
 * - `insufficient`, `in_debt`, `closed`: the wallet cannot pay, owes credits, or is closed
 * - `spending_limit`: the user's limit for spending without them is reached for this month
 * - `hold_gone`: the reservation was released, has expired or never existed
 * - `not_reversible`: no debit has this key, more would be given back than it took, or a developer
 *   has a share of it
 */
export type Outcome =
  | 'done'
  | 'replayed'
  | 'paid'
  | 'key_reused'
  | 'insufficient'
  | 'in_debt'
  | 'closed'
  | 'spending_limit'
  | 'hold_gone'
  | 'not_reversible';

export interface MovementResult {
  outcome: Outcome;
  /** Number of the ledger entry; null if none was made. */
  seq: number | null;
  /**
   * Amount as in the ledger entry, negative for debits. Reservation: the reserved credits.
   * Clawback: the credits taken from both wallets; the rest is a debt.
   */
  amount: number | null;
  balanceAfter: number | null;
  /** Credits that can be spent now. For `spending_limit`: the rest of the limit. */
  available: number;
  /** The developer's share of the charge. */
  share: number | null;
}

/**
 * Throws, because the ledger answered with an outcome that the movement `key` cannot have.
 *
 * @throws Error always.
 */
export function throwUnexpectedOutcome(outcome: Outcome, key: string): never {
  throw new Error(`The ledger answered ${outcome} to ${key}.`);
}
