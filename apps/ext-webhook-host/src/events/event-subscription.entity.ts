import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** What the version of an app that runs has a handler for; none of an app that is suspended. */
@Entity('event_subscriptions')
@Index('event_subscriptions_type_idx', ['type'])
export class StoredEventSubscription {
  @PrimaryColumn('text') appId!: string;
  /** May end in `*`. */
  @PrimaryColumn('text') type!: string;
  @Column('text') version!: string;
  @Column('text') sha256!: string;
  @Column('text') developerId!: string;
}
