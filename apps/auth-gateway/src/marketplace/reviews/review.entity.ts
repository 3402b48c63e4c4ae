import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, Unique, type Relation } from 'typeorm';
import { App } from '../../apps/model/app.entity.js';
import { User } from '../../identity/accounts/user.entity.js';

/** Review of an app by a user that has, or had, it installed. */
@Entity('reviews')
@Unique('reviews_app_user_key', ['appId', 'userId'])
@Index('reviews_helpful_idx', ['appId', 'helpfulCount', 'createdAt', 'id'])
@Index('reviews_created_idx', ['appId', 'createdAt', 'id'])
@Index('reviews_rating_idx', ['appId', 'rating', 'createdAt', 'id'])
@Index('reviews_user_idx', ['userId'])
@Check('reviews_rating_check', 'rating BETWEEN 1 AND 5')
@Check('reviews_helpful_count_check', 'helpful_count >= 0')
export class Review {
  @PrimaryColumn('text') id!: string;
  @Column('text') appId!: string;
  @ManyToOne(() => App, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'app_id', foreignKeyConstraintName: 'reviews_app_fkey' })
  app?: Relation<App>;
  @Column('text') userId!: string;
  @ManyToOne(() => User)
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'reviews_user_fkey' })
  user?: Relation<User>;
  @Column('smallint') rating!: number;
  @Column('text', { default: '' }) title!: string;
  @Column('text') body!: string;
  /** Kept by a trigger on `review_votes`. */
  @Column('integer', { default: 0 }) helpfulCount!: number;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
}
