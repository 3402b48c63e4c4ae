import type { Surface } from '@platform/contracts';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { User } from '../accounts/user.entity.js';

/** Login on one device. Its refresh tokens are derived from the counter and not stored. */
@Entity('sessions')
@Check('sessions_surface_check', "surface IN ('web', 'cli', 'api')")
@Index('sessions_user_idx', ['userId', 'createdAt'])
export class Session {
  @PrimaryColumn('text') id!: string;
  @Column('text') userId!: string;
  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'sessions_user_fkey' })
  user?: Relation<User>;
  @Column('text') surface!: Surface;
  /** True for a session that the client manages itself: it has no tokens and proves no login. */
  @Column('boolean', { default: false }) registered!: boolean;
  @Column('text', { nullable: true }) label!: string | null;
  @Column('text', { nullable: true }) ipAddress!: string | null;
  @Column('text', { nullable: true }) userAgent!: string | null;
  @Column('integer', { default: 0 }) refreshCounter!: number;
  /**
   * Times of the last rotations, newest first. They decide if an older token is still in its grace
   * period.
   */
  @Column('timestamptz', { array: true, default: '{}' }) recentRotations!: Date[];
  /**
   * Theoretical arrival time of the next rotation (GCRA). It limits rotations without a separate
   * statement.
   */
  @Column('timestamptz', { default: () => 'now()' }) refreshArrival!: Date;
  @Column('timestamptz') idleExpiresAt!: Date;
  @Column('timestamptz') absoluteExpiresAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) lastSeenAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { nullable: true }) revokedAt!: Date | null;
  /** `logout`, `refresh_reuse`, `evicted`, … */
  @Column('text', { nullable: true }) revokedReason!: string | null;
}
