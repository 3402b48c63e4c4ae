import {
  Check,
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryGeneratedColumn,
  type Relation,
  Unique,
} from 'typeorm';
import { LedgerBooking } from './ledger-booking.entity.js';
import type { Lot } from './lot.js';

/**
 * `earnings` holds the credits that calls of an app bring its developer. It cannot pay for calls.
 */
export const WALLET_KINDS = ['user', 'earnings'] as const;
export type WalletKind = (typeof WALLET_KINDS)[number];

/**
 * Wallet of a user. Only the functions of the ledger change it. The balance refers to the ledger
 * entry that produced it, so the database refuses a balance without an entry.
 */
@Entity('wallets')
@Unique('wallets_user_kind_key', ['userId', 'kind'])
@Index('wallets_expiry_idx', ['nextExpiry'], { where: 'next_expiry IS NOT NULL' })
@Index('wallets_tenant_idx', ['tenantId'])
@Check('wallets_kind_check', `kind IN ('${WALLET_KINDS.join("', '")}')`)
@Check('wallets_balance_check', 'balance BETWEEN 0 AND 9007199254740991')
@Check('wallets_held_check', 'held BETWEEN 0 AND balance')
@Check('wallets_debt_check', 'debt BETWEEN 0 AND 9007199254740991')
@Check('wallets_first_balance_check', 'seq IS NOT NULL OR balance = 0')
@Check('wallets_lots_check', 'wallet_lots_total(lots) = balance')
export class Wallet {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' }) id!: string;
  @Column('text') tenantId!: string;
  @ManyToOne('Tenant')
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'wallets_tenant_fkey' })
  tenant?: Relation<object>;
  @Column('text') userId!: string;
  @ManyToOne('User')
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'wallets_user_fkey' })
  user?: Relation<object>;
  @Column('text') kind!: WalletKind;
  /** Includes reserved credits, and credits that have expired since the last movement. */
  @Column('bigint', { default: 0 }) balance!: string;
  /** Credits reserved for running calls. */
  @Column('bigint', { default: 0 }) held!: string;
  /**
   * Debt in credits. While it is above zero, nothing new can be spent, and incoming credits pay it
   * first.
   */
  @Column('bigint', { default: 0 }) debt!: string;
  /** Number of the last ledger entry; null before the first. */
  @Column('bigint', { nullable: true }) seq!: string | null;
  @ManyToOne(() => LedgerBooking, { deferrable: 'INITIALLY DEFERRED' })
  @JoinColumn([
    { name: 'id', referencedColumnName: 'walletId', foreignKeyConstraintName: 'wallets_last_entry_fkey' },
    { name: 'seq', referencedColumnName: 'seq', foreignKeyConstraintName: 'wallets_last_entry_fkey' },
    { name: 'balance', referencedColumnName: 'balanceAfter', foreignKeyConstraintName: 'wallets_last_entry_fkey' },
  ])
  lastEntry?: Relation<LedgerBooking> | null;
  /** Lots in the order in which they are spent. Their sum is the balance. */
  @Column('jsonb', { default: [] }) lots!: Lot[];
  /** Time when the first lot expires, or an earlier time; null if no lot expires. */
  @Column('timestamptz', { nullable: true }) nextExpiry!: Date | null;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
  /**
   * Time of the account deletion; null for an open wallet. A closed wallet accepts no credits and
   * spends only credits that were reserved before.
   */
  @Column('timestamptz', { nullable: true }) closedAt!: Date | null;
  /**
   * A balance that falls below this mark creates a `WalletCrossing`. Null: no crossings are
   * recorded. Triggers set it from the plan and the settings of the user.
   */
  @Column('bigint', { nullable: true }) lowMark!: string | null;
}
