import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { User } from '../../identity/accounts/user.entity.js';
import { Review } from './review.entity.js';

/** Vote of a user on a review. */
@Entity('review_votes')
@Index('review_votes_user_idx', ['userId'])
export class ReviewVote {
  @PrimaryColumn('text') reviewId!: string;
  @ManyToOne(() => Review, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'review_id', foreignKeyConstraintName: 'review_votes_review_fkey' })
  review?: Relation<Review>;
  @PrimaryColumn('text') userId!: string;
  @ManyToOne(() => User)
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'review_votes_user_fkey' })
  user?: Relation<User>;
  @Column('boolean') helpful!: boolean;
}
