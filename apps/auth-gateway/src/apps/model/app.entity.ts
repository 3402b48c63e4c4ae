import { APP_STATUSES, PRICING_MODELS, type AppStatus, type PricingModel } from '@platform/contracts';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { AppPrice } from './app-price.entity.js';
import { AppVersion } from './app-version.entity.js';
import { Developer } from '../developers/developer.entity.js';

export { APP_STATUSES, PRICING_MODELS, type AppStatus, type PricingModel };

/**
 * An extension. It belongs to the platform, not to a tenant: users of every tenant can install it.
 */
@Entity('apps')
@Index('apps_developer_idx', ['developerId', 'createdAt', 'appId'])
@Index('apps_pending_idx', ['submittedAt', 'appId'], { where: "status = 'pending_review'" })
@Index('apps_featured_idx', ['appId'], { where: "featured AND status = 'active' AND NOT system" })
@Index('apps_system_idx', ['appId'], { where: 'system' })
@Check('apps_app_id_check', "app_id ~ '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$'")
@Check('apps_status_check', `status IN ('${APP_STATUSES.join("', '")}')`)
@Check('apps_pricing_model_check', `pricing_model IN ('${PRICING_MODELS.join("', '")}')`)
@Check('apps_revenue_split_check', 'revenue_split_dev BETWEEN 50 AND 95')
@Check('apps_developer_check', 'system OR developer_id IS NOT NULL')
@Check('apps_served_check', "system OR status <> 'active' OR served_version IS NOT NULL")
@Check(
  'apps_submitted_check',
  "status <> 'pending_review' OR (submitted_at IS NOT NULL AND submitted_version IS NOT NULL)",
)
@Check('apps_homepage_check', "homepage ~ '^https://' AND length(homepage) <= 500")
@Check('apps_license_check', 'length(license) BETWEEN 1 AND 100')
@Check('apps_icon_size_check', 'octet_length(icon_svg) <= 65536')
export class App {
  @PrimaryColumn('text') appId!: string;
  /** Null for a system app. */
  @Column('text', { nullable: true }) developerId!: string | null;
  @ManyToOne(() => Developer)
  @JoinColumn({ name: 'developer_id', foreignKeyConstraintName: 'apps_developer_fkey' })
  developer?: Relation<Developer>;
  @Column('text') displayName!: string;
  @Column('text', { default: '' }) shortDescription!: string;
  @Column('text', { default: '' }) description!: string;
  @Column('text', { default: '' }) longDescription!: string;
  @Column('text', { default: 'general' }) category!: string;
  @Column('text', { array: true, default: '{}' }) tags!: string[];
  @Column('text', { nullable: true }) icon!: string | null;
  /** Sanitised before it is stored. */
  @Column('text', { nullable: true }) iconSvg!: string | null;
  @Column('text', { nullable: true }) gitUrl!: string | null;
  @Column('text', { nullable: true }) homepage!: string | null;
  @Column('text', { nullable: true }) license!: string | null;
  @Column('text', { default: 'free' }) pricingModel!: PricingModel;
  @Column('jsonb', { nullable: true }) pricingConfig!: Record<string, unknown> | null;
  /** Percentage of a price that the developer gets. */
  @Column('smallint', { default: 70 }) revenueSplitDev!: number;
  /** Current price in `app_prices`, kept by `syncPrices`. Null: free. */
  @Column('integer', { nullable: true }) priceVersion!: number | null;
  @ManyToOne(() => AppPrice)
  @JoinColumn([
    { name: 'app_id', referencedColumnName: 'appId', foreignKeyConstraintName: 'apps_price_version_fkey' },
    { name: 'price_version', referencedColumnName: 'version', foreignKeyConstraintName: 'apps_price_version_fkey' },
  ])
  price?: Relation<AppPrice> | null;
  /** Every user has a system app and cannot remove it, and the marketplace does not list it. */
  @Column('boolean', { default: false }) system!: boolean;
  @Column('boolean', { default: false }) featured!: boolean;
  @Column('text', { default: 'draft' }) status!: AppStatus;
  /**
   * True if an operator suspended the app. It does not run until an operator approves it or sets
   * another status, and its developer cannot change that. Triggers keep the flag for the id, even
   * after the app was deleted.
   */
  @Column('boolean', { default: false }) stoppedByPlatform!: boolean;
  /** Reason of the last rejection. */
  @Column('text', { nullable: true }) rejectReason!: string | null;
  @Column('timestamptz', { nullable: true }) submittedAt!: Date | null;
  /** Version that the review looks at. */
  @Column('text', { nullable: true }) submittedVersion!: string | null;
  @ManyToOne(() => AppVersion)
  @JoinColumn([
    { name: 'app_id', referencedColumnName: 'appId', foreignKeyConstraintName: 'apps_submitted_version_fkey' },
    {
      name: 'submitted_version',
      referencedColumnName: 'version',
      foreignKeyConstraintName: 'apps_submitted_version_fkey',
    },
  ])
  submitted?: Relation<AppVersion> | null;
  /**
   * Content that is in review, or was in review last; see `computeReviewedSha256`. Null if it was
   * never submitted.
   */
  @Column('bytea', { nullable: true }) submittedSha256!: Buffer | null;
  /** Content that was in the marketplace when the app last left it. */
  @Column('bytea', { nullable: true }) publishedSha256!: Buffer | null;
  /**
   * True if other content was in review earlier, for this app or for a deleted app with the same
   * id. The reviewer must then name the content that they looked at. A trigger sets it for an app
   * with a retired id.
   */
  @Column('boolean', { default: false }) reviewsNameContent!: boolean;
  /** Time since which the marketplace lists the app. */
  @Column('timestamptz', { nullable: true }) publishedAt!: Date | null;
  /** Version that runs; the Registry holds it too. Null before the first successful deploy. */
  @Column('text', { nullable: true }) servedVersion!: string | null;
  @ManyToOne(() => AppVersion)
  @JoinColumn([
    { name: 'app_id', referencedColumnName: 'appId', foreignKeyConstraintName: 'apps_served_version_fkey' },
    { name: 'served_version', referencedColumnName: 'version', foreignKeyConstraintName: 'apps_served_version_fkey' },
  ])
  served?: Relation<AppVersion> | null;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
}
