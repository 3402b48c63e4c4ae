import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('tenants')
export class Tenant {
  /** As in the interface: `default`, `acme`. */
  @PrimaryColumn('text') id!: string;
  @Column('text') name!: string;
  @Column('boolean', { default: true }) isActive!: boolean;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
}
