import type { EntryKind } from './ledger-entry.entity.js';
import type { LotSource } from './lot.js';
import type { SpendingClass } from './spending-class.js';

interface Movement {
  /**
   * Unique on the platform and for ever, such as `payout:17`: the same movement again changes nothing. Made of ids of ours, never of what a client
   * chose without them.
   */
  key: string;
  /** Whole credits, from 1 to `MAX_CREDITS` of the contracts. */
  amount: number;
  kind: EntryKind;
  /** What it belongs to, such as an action or a payout. */
  ref?: string;
  description?: string;
}

/** Credits that come in. */
export interface Credit extends Movement {
  source: LotSource;
  /** Whether developers earn a share when these are spent. */
  earns: boolean;
  /** Absent for credits that do not expire. */
  expiresAt?: Date;
}

/** The function that a charge pays for, and who has a share of it. */
export interface ChargedFunction {
  appId: string;
  function?: string;
  /** Of `app_prices`. */
  priceVersion?: number;
  /** Absent where nobody has a share. */
  developer?: { id: string; split: number };
  /** What of the amount the developer has a share of; all of it unless said. */
  base?: number;
}

/** Credits that are spent at once. */
export interface Debit extends Movement {
  charged?: ChargedFunction;
  /** `debt`: what the wallet lacks becomes a debt instead of a refusal, which the user's earnings pay at once. For what has happened already. */
  shortfall?: 'debt';
}

/** Credits that are promised. */
export interface Hold {
  /** Unique as the key of a movement; the same hold again is that hold, with new time. */
  id: string;
  amount: number;
  /** How long nothing else can spend them. */
  seconds: number;
  /** The key of the movement that will pay, where it is not `id`: once it is there, nothing is held (`paid`). */
  paidBy?: string;
  /** Counts for this limit of the user. */
  spendingClass?: SpendingClass;
}

/** Spends of a hold, up to its amount. What is left of it is free again. */
export interface Settlement extends Movement {
  holdId: string;
  charged?: ChargedFunction;
}

export interface Reversal extends Movement {
  /** The key of the debit that is given back, or a part of it. */
  reverses: string;
}

/** Credits whose money goes back. What the wallet lacks is taken from what the user has earned, and then becomes a debt. */
export interface TakeBack extends Movement {
  kind: 'refund' | 'dispute';
  /** Where those that were bought came from: they are taken first. */
  source: LotSource;
}

/** Undoes a taking back: the money has stayed. */
export interface GiveBack {
  kind: TakeBack['kind'];
  /** The key of the taking back. */
  reverses: string;
  ref?: string;
}

/**
 * What became of a movement: `done`; `replayed` where it had been made before, `paid` for a hold whose payment had; else a refusal that changed
 * nothing.
 *
 * - `key_reused`: another movement has this key
 * - `insufficient`, `in_debt`, `closed`: of the wallet
 * - `spending_limit`: the user lets no more be spent without them this month
 * - `hold_gone`: released, expired, or never made
 * - `not_reversible`: there is no such debit, more would be given back than it took, or a developer has a share of it
 */
export type Outcome =
  'done' | 'replayed' | 'paid' | 'key_reused' | 'insufficient' | 'in_debt' | 'closed' | 'spending_limit' | 'hold_gone' | 'not_reversible';

export interface MovementResult {
  outcome: Outcome;
  /** Of the entry, where one was made. */
  seq: number | null;
  /** As the entry has it, debits negative; of a hold what is held; of a taking back what was taken of both wallets, the rest is a debt. */
  amount: number | null;
  balanceAfter: number | null;
  /** What can be spent now; of `spending_limit` what is left of the limit. */
  available: number;
  /** Of the developer. */
  share: number | null;
}

/** For outcomes that a movement cannot have. @throws Error always. */
export function unexpectedOutcome(outcome: Outcome, key: string): never {
  throw new Error(`The ledger answered ${outcome} to ${key}.`);
}
