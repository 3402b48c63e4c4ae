import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What the gateway last said of the version of an app that runs, for when it is away. */
@Entity('deployed_apps')
export class KnownDeployedApp {
  @PrimaryColumn('text') appId!: string;
  @Column('text') version!: string;
  @Column('text') sha256!: string;
  @Column('text') tenantId!: string;
  @Column('text') developerId!: string;
  @Column('boolean') isActive!: boolean;
  /** True until the gateway says that it is not. */
  @Column('boolean', { default: true }) isSuspended!: boolean;
  /** Where it may send requests; null: anywhere. */
  @Column('text', { array: true, nullable: true }) hosts!: string[] | null;
  /** What of its context it may use; null: all. */
  @Column('text', { array: true, nullable: true }) capabilities!: string[] | null;
  /** The content of which the gateway said them; of any other they say nothing. Null: it has not said anything. */
  @Column('text', { nullable: true }) capabilitiesOf!: string | null;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
}
