import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * Event type for which the running version of an app has a handler. A suspended app has no rows.
 */
@Entity('event_subscriptions')
@Index('event_subscriptions_type_idx', ['type'])
export class StoredEventSubscription {
  @PrimaryColumn('text') appId!: string;
  /** Can end in `*`. */
  @PrimaryColumn('text') type!: string;
  @Column('text') version!: string;
  @Column('text') sha256!: string;
  @Column('text') developerId!: string;
}
