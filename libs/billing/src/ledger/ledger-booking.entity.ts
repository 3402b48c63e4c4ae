import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation, Unique } from 'typeorm';
import type { Lot } from './lot.js';
import { Wallet } from './wallet.entity.js';

/** Reasons for a booking. The REST API returns them as `reason`. */
export const ENTRY_KINDS = [
  'admin_adjustment',
  'call_charge',
  'app_subscription',
  'action_charge',
  'commission',
  'subscription_grant',
  'topup',
  'refund',
  'dispute',
  'tier_fee',
  'payout',
  'payout_return',
  'debt_payment',
  'earnings_to_debt',
  'expiry',
  'closure',
  'test_credits',
] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/**
 * Account on the other side of a booking, in the column `counter`. It has no row of its own: its
 * balance is the sum of the bookings with the opposite sign.
 */
export const CONTRA_ACCOUNTS = [
  'provider',
  'plan_grant',
  'usage',
  'promo',
  'refund',
  'dispute',
  'expiry',
  'adjust',
  'commission',
  'payout',
  'fee',
  'closure',
  'debt',
] as const;
export type ContraAccount = (typeof CONTRA_ACCOUNTS)[number];

/**
 * Contra account of each kind. A reversal uses the account of the entry that it reverses. The
 * account `promo` is not used yet.
 */
export const CONTRA_ACCOUNT_OF: Record<EntryKind, ContraAccount> = {
  admin_adjustment: 'adjust',
  call_charge: 'usage',
  app_subscription: 'usage',
  action_charge: 'usage',
  commission: 'commission',
  subscription_grant: 'plan_grant',
  topup: 'provider',
  refund: 'refund',
  dispute: 'dispute',
  tier_fee: 'fee',
  payout: 'payout',
  payout_return: 'payout',
  debt_payment: 'debt',
  // Two entries with the sum zero: out of the earnings, and into the user's wallet.
  earnings_to_debt: 'debt',
  expiry: 'expiry',
  closure: 'closure',
  test_credits: 'adjust',
};

/**
 * A booking: one movement of credits into or out of a wallet. Written once by the functions of the
 * ledger; triggers refuse to change or delete it.
 */
@Entity('ledger_entries')
@Unique('ledger_entries_idem_key_key', ['idemKey'])
@Unique('ledger_entries_balance_key', ['walletId', 'seq', 'balanceAfter'])
@Index('ledger_entries_reverses_idx', ['walletId', 'reversesSeq'], { where: 'reverses_seq IS NOT NULL' })
@Index('ledger_entries_recorded_idx', ['recordedAt'])
@Index('ledger_entries_app_months_idx', ['walletId', 'appId'], { where: "kind = 'app_subscription'" })
@Index('ledger_entries_grants_idx', ['walletId', 'kind', 'seq'], { where: "kind IN ('subscription_grant', 'expiry')" })
@Check('ledger_entries_seq_check', 'seq >= 1')
@Check('ledger_entries_prev_seq_check', 'prev_seq IS NOT DISTINCT FROM nullif(seq - 1, 0)')
@Check('ledger_entries_counter_check', `counter IN ('${CONTRA_ACCOUNTS.join("', '")}')`)
@Check(
  'ledger_entries_amount_check',
  "amount <> 0 AND abs(amount) <= CASE WHEN kind IN ('expiry', 'closure', 'debt_payment', 'commission') THEN 9007199254740991 ELSE 1000000000000 END",
)
@Check('ledger_entries_balance_check', 'balance_after >= 0 AND balance_after = balance_before + amount')
@Check('ledger_entries_lots_check', 'wallet_lots_total(lots) = abs(amount)')
@Check('ledger_entries_idem_key_check', 'length(idem_key) BETWEEN 1 AND 300')
@Check('ledger_entries_first_check', 'seq > 1 OR balance_before = 0')
@Check('ledger_entries_share_check', 'share BETWEEN 0 AND earned_base AND earned_base <= greatest(-amount, 0)')
@Check('ledger_entries_developer_check', 'earned_base = 0 OR (developer_id IS NOT NULL AND app_id IS NOT NULL)')
export class LedgerBooking {
  @PrimaryColumn('bigint', { primaryKeyConstraintName: 'ledger_entries_pkey' }) walletId!: string;
  @ManyToOne(() => Wallet)
  @JoinColumn({ name: 'wallet_id', foreignKeyConstraintName: 'ledger_entries_wallet_fkey' })
  wallet?: Relation<Wallet>;
  /** Number of the entry in its wallet, from 1, without gaps. */
  @PrimaryColumn('bigint', { primaryKeyConstraintName: 'ledger_entries_pkey' }) seq!: string;
  @Column('bigint', { nullable: true }) prevSeq!: string | null;
  @ManyToOne(() => LedgerBooking)
  @JoinColumn([
    { name: 'wallet_id', referencedColumnName: 'walletId', foreignKeyConstraintName: 'ledger_entries_chain_fkey' },
    { name: 'prev_seq', referencedColumnName: 'seq', foreignKeyConstraintName: 'ledger_entries_chain_fkey' },
    {
      name: 'balance_before',
      referencedColumnName: 'balanceAfter',
      foreignKeyConstraintName: 'ledger_entries_chain_fkey',
    },
  ])
  previous?: Relation<LedgerBooking> | null;
  @Column('text') kind!: EntryKind;
  @Column('text') counter!: ContraAccount;
  /** Credits; negative for a debit. */
  @Column('bigint') amount!: string;
  @Column('bigint') balanceBefore!: string;
  @Column('bigint') balanceAfter!: string;
  /** Lots that the movement added to the wallet or took from it. */
  @Column('jsonb') lots!: Lot[];
  /** Unique for ever. The same movement with the same key changes nothing. */
  @Column('text') idemKey!: string;
  @Column('text', { nullable: true }) appId!: string | null;
  @Column('text', { nullable: true }) function!: string | null;
  /** Version of the price in `app_prices` that the charge used; null without such a price. */
  @Column('integer', { nullable: true }) priceVersion!: number | null;
  /** Developer with a share of the charge; null if the charge has no share. */
  @Column('text', { nullable: true }) developerId!: string | null;
  /**
   * Part of the charge that was paid with credits that earn. The platform's fee is not included.
   */
  @Column('bigint', { default: 0 }) earnedBase!: string;
  /** The developer's part of `earned_base`. */
  @Column('bigint', { default: 0 }) share!: string;
  @Column('bigint', { nullable: true }) reversesSeq!: string | null;
  @ManyToOne(() => LedgerBooking)
  @JoinColumn([
    { name: 'wallet_id', referencedColumnName: 'walletId', foreignKeyConstraintName: 'ledger_entries_reverses_fkey' },
    { name: 'reverses_seq', referencedColumnName: 'seq', foreignKeyConstraintName: 'ledger_entries_reverses_fkey' },
  ])
  reverses?: Relation<LedgerBooking> | null;
  /** Id of the thing that caused the booking, for example an action or a payout. */
  @Column('text', { nullable: true }) ref!: string | null;
  @Column('text', { nullable: true }) description!: string | null;
  @Column('timestamptz', { default: () => 'billing_now()' }) at!: Date;
  /** Time of the database's real clock, which does not follow a moved billing clock. */
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) recordedAt!: Date;
}
