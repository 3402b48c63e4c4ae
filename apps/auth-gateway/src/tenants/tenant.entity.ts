import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('tenants')
@Check('tenants_id_check', "id ~ '^[a-z0-9][a-z0-9_-]{0,62}$'")
export class Tenant {
  /** As in the interface: `default`, `acme`. */
  @PrimaryColumn('text') id!: string;
  @Column('text') name!: string;
  @Column('boolean', { default: true }) isActive!: boolean;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
}
