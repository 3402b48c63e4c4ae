import {
  NOTIFICATION_CHANNELS,
  NOTIFICATION_PRIORITIES,
  type NotificationChannel,
  type NotificationPriority,
} from '@platform/contracts';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { User } from '../../identity/accounts/user.entity.js';

/** A message of an app or of the platform to a user. */
@Entity('notifications')
@Index('notifications_user_idx', ['userId', 'createdAt', 'id'])
@Index('notifications_unread_idx', ['userId', 'createdAt', 'id'], { where: 'read_at IS NULL' })
@Index('notifications_created_idx', ['createdAt'], { type: 'brin' })
@Check('notifications_channel_check', `channel IN ('${NOTIFICATION_CHANNELS.join("', '")}')`)
@Check('notifications_priority_check', `priority IN ('${NOTIFICATION_PRIORITIES.join("', '")}')`)
export class Notification {
  @PrimaryColumn('text') id!: string;
  @Column('text') userId!: string;
  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'notifications_user_fkey' })
  user?: Relation<User>;
  @Column('text') tenantId!: string;
  @Column('text') appId!: string;
  @Column('text') channel!: NotificationChannel;
  @Column('text') priority!: NotificationPriority;
  @Column('text', { nullable: true }) subject!: string | null;
  @Column('text') message!: string;
  @Column('text', { nullable: true }) body!: string | null;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  /** Null until the user has read it. */
  @Column('timestamptz', { nullable: true }) readAt!: Date | null;
}
