import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Developer } from '../developers/developer.entity.js';

/**
 * The id of an app that was deployed once and has been deleted. Nobody but its developer takes it again, or whoever still has the app
 * installed somewhere would come to run another's.
 */
@Entity('retired_app_ids')
export class RetiredAppId {
  @PrimaryColumn('text') appId!: string;
  @Column('text') developerId!: string;
  @ManyToOne(() => Developer)
  @JoinColumn({ name: 'developer_id', foreignKeyConstraintName: 'retired_app_ids_developer_fkey' })
  developer?: Relation<Developer>;
  @Column('timestamptz', { default: () => 'now()' }) retiredAt!: Date;
  /** What those who run the platform decided about the app, kept by a trigger for the next one of this id. */
  @Column('boolean', { default: false }) stoppedByPlatform!: boolean;
  /** It was in review or in the marketplace. */
  @Column('boolean', { default: false }) wasReviewed!: boolean;
}
