import { PRICING_MODELS } from '@platform/contracts';
import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

export const PAID_MODELS = PRICING_MODELS.filter((model) => model !== 'free');
export type PaidModel = (typeof PAID_MODELS)[number];

/**
 * A price of an app, current or former. Charges refer to it by `version`, so triggers refuse to
 * change or delete a row. The rows outlive the app: a later app with the same id continues the
 * numbers, so a version always means one price.
 */
@Entity('app_prices')
@Check('app_prices_version_check', 'version >= 1')
@Check('app_prices_model_check', `model IN ('${PAID_MODELS.join("', '")}')`)
@Check(
  'app_prices_prices_check',
  `jsonb_typeof(function_prices) = 'object' AND (model = 'per_action') = (function_prices <> '{}') AND (model = 'subscription') = (monthly_price > 0)`,
)
@Check('app_prices_monthly_price_check', 'monthly_price BETWEEN 0 AND 10000000')
@Check('app_prices_split_check', 'split BETWEEN 50 AND 95')
export class AppPrice {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'app_prices_pkey' }) appId!: string;
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'app_prices_pkey' }) version!: number;
  @Column('text') model!: PaidModel;
  /** Credits per call, by function. A function that is not listed is free. */
  @Column('jsonb') functionPrices!: Record<string, number>;
  /** Credits per month; 0 unless `model` is `subscription`. */
  @Column('bigint') monthlyPrice!: string;
  /** Percentage of the price that the developer gets. */
  @Column('smallint') split!: number;
  @Column('timestamptz', { default: () => 'billing_now()' }) createdAt!: Date;
}
