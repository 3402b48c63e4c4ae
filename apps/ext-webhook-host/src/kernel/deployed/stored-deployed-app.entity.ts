import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * Last answer of the gateway about the running version of an app. It is used while the gateway is
 * unreachable.
 */
@Entity('deployed_apps')
export class StoredDeployedApp {
  @PrimaryColumn('text') appId!: string;
  @Column('text') version!: string;
  @Column('text') sha256!: string;
  @Column('text') tenantId!: string;
  @Column('text') developerId!: string;
  @Column('boolean') isActive!: boolean;
  @Column('boolean') isSuspended!: boolean;
  /** Hosts to which it may send requests; `*` is any host. */
  @Column('text', { array: true }) hosts!: string[];
  /** Members of the context that it may use. */
  @Column('text', { array: true }) capabilities!: string[];
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
}
