import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Developer } from '../developers/developer.entity.js';

/**
 * Id of a deleted app that was deployed at least once. Only its developer can use the id again.
 * Otherwise users who still have the app installed would run an app of another developer.
 */
@Entity('retired_app_ids')
export class RetiredAppId {
  @PrimaryColumn('text') appId!: string;
  @Column('text') developerId!: string;
  @ManyToOne(() => Developer)
  @JoinColumn({ name: 'developer_id', foreignKeyConstraintName: 'retired_app_ids_developer_fkey' })
  developer?: Relation<Developer>;
  @Column('timestamptz', { default: () => 'now()' }) retiredAt!: Date;
  /** Decision of the operator about the app. A trigger copies it to the next app with this id. */
  @Column('boolean', { default: false }) stoppedByPlatform!: boolean;
  /** True if the app was ever in review or in the marketplace. */
  @Column('boolean', { default: false }) wasReviewed!: boolean;
}
