import type { ActionType, ConfirmationStatus } from '@platform/contracts';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { App } from '../../apps/model/app.entity.js';
import { User } from '../../identity/accounts/user.entity.js';

/** A call that waits for the user's confirmation. */
@Entity('confirmations')
@Index('confirmations_user_idx', ['userId', 'createdAt', 'id'])
@Index('confirmations_app_idx', ['appId'])
@Index('confirmations_expires_idx', ['expiresAt'])
@Check('confirmations_action_type_check', "action_type IN ('read', 'write', 'destructive')")
@Check('confirmations_status_check', "status IN ('pending', 'confirmed', 'cancelled')")
@Check('confirmations_narrowed_check', 'api_key_id IS NULL OR scopes IS NOT NULL')
@Check('confirmations_answered_check', "(status = 'pending') = (answered_at IS NULL)")
export class Confirmation {
  @PrimaryColumn('text') id!: string;
  @Column('text') userId!: string;
  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'confirmations_user_fkey' })
  user?: Relation<User>;
  @Column('text') tenantId!: string;
  @Column('text') appId!: string;
  @ManyToOne(() => App, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'app_id', foreignKeyConstraintName: 'confirmations_app_fkey' })
  app?: Relation<App>;
  @Column('text') function!: string;
  /** `read` only for functions that cost credits. */
  @Column('text') actionType!: ActionType;
  /** Credits that the call cost when the user was asked. */
  @Column('integer') price!: number;
  /** JSON text. The call uses exactly these bytes. */
  @Column('text') params!: string;
  @Column('text') summary!: string;
  /**
   * API key that requested the call; it must still exist at the confirmation. Null if a person
   * requested the call.
   */
  @Column('text', { nullable: true }) apiKeyId!: string | null;
  /** Scopes that the call can use at most; null for all scopes of the user. */
  @Column('text', { array: true, nullable: true }) scopes!: string[] | null;
  /** A `pending` row after `expiresAt` counts as expired. */
  @Column('text', { default: 'pending' }) status!: Exclude<ConfirmationStatus, 'expired'>;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz') expiresAt!: Date;
  @Column('timestamptz', { nullable: true }) answeredAt!: Date | null;
}
