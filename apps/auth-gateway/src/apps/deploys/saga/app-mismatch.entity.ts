import { Check, Column, Entity, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';
import { App } from '../../model/app.entity.js';

/**
 * `foreign_version`: the Registry serves a version that the gateway does not have. `other_content`:
 * both serve the same version, but the Registry has other functions for it.
 */
export const MISMATCH_KINDS = ['foreign_version', 'other_content'] as const;
export type MismatchKind = (typeof MISMATCH_KINDS)[number];

/**
 * A difference between the records of an app at the Registry service and at the gateway that a
 * person must resolve, because another party has pushed to the Registry.
 */
@Entity('app_mismatches')
@Check('app_mismatches_kind_check', `kind IN ('${MISMATCH_KINDS.join("', '")}')`)
export class AppMismatch {
  @PrimaryColumn('text') appId!: string;
  @OneToOne(() => App, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'app_id', foreignKeyConstraintName: 'app_mismatches_app_fkey' })
  app?: Relation<App>;
  @Column('text') kind!: MismatchKind;
  @Column('text', { nullable: true }) registryVersion!: string | null;
  @Column('timestamptz', { default: () => 'now()' }) since!: Date;
}
