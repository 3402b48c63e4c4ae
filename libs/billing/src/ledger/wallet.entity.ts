import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, type Relation, Unique } from 'typeorm';
import { LedgerEntry } from './ledger-entry.entity.js';
import type { Lot } from './lot.js';

/** `earnings` are what a developer gets of the calls of their apps; they pay for no calls. */
export const WALLET_KINDS = ['user', 'earnings'] as const;
export type WalletKind = (typeof WALLET_KINDS)[number];

/**
 * Credits of a user. Only the functions of the ledger change it: its balance refers to the entry that made it, so that the database refuses a
 * balance without one.
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
  @ManyToOne('Tenant') @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'wallets_tenant_fkey' }) tenant?: Relation<object>;
  @Column('text') userId!: string;
  @ManyToOne('User') @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'wallets_user_fkey' }) user?: Relation<object>;
  @Column('text') kind!: WalletKind;
  /** Held credits and such that have expired since the last movement included. */
  @Column('bigint', { default: 0 }) balance!: string;
  /** Promised to calls that are under way. */
  @Column('bigint', { default: 0 }) held!: string;
  /** Owed beyond the balance. While there is some, nothing new can be spent, and what comes in pays it first. */
  @Column('bigint', { default: 0 }) debt!: string;
  /** Of the last entry; null before the first. */
  @Column('bigint', { nullable: true }) seq!: string | null;
  @ManyToOne(() => LedgerEntry, { deferrable: 'INITIALLY DEFERRED' })
  @JoinColumn([
    { name: 'id', referencedColumnName: 'walletId', foreignKeyConstraintName: 'wallets_last_entry_fkey' },
    { name: 'seq', referencedColumnName: 'seq', foreignKeyConstraintName: 'wallets_last_entry_fkey' },
    { name: 'balance', referencedColumnName: 'balanceAfter', foreignKeyConstraintName: 'wallets_last_entry_fkey' },
  ])
  lastEntry?: Relation<LedgerEntry> | null;
  /** In the order in which they are spent. Their sum is the balance. */
  @Column('jsonb', { default: [] }) lots!: Lot[];
  /** When the first lot expires, or earlier; null where none does. */
  @Column('timestamptz', { nullable: true }) nextExpiry!: Date | null;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
  /** Of a user who was erased: nothing comes in any more, and nothing but what was held is spent. */
  @Column('timestamptz', { nullable: true }) closedAt!: Date | null;
  /** A balance that falls below it is a crossing (`WalletCrossing`). Null: nobody watches. By triggers, from the plan and the settings of its user. */
  @Column('bigint', { nullable: true }) lowMark!: string | null;
}
