import { PRICING_MODELS } from '@platform/contracts';
import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** How an app that costs something is paid for. */
export const PAID_MODELS = PRICING_MODELS.filter((model) => model !== 'free');
export type PaidModel = (typeof PAID_MODELS)[number];

/**
 * What an app costs, or cost once: charges name it. Written once; triggers refuse to change or delete it. It outlives its app, and the next app
 * of the same id goes on counting, so that a version never means two prices.
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
  /** Credits for a call, by function. What is not in it costs nothing. */
  @Column('jsonb') functionPrices!: Record<string, number>;
  /** Credits; 0 unless it is paid for by the month. */
  @Column('bigint') monthlyPrice!: string;
  /** Percent of it that the developer gets. */
  @Column('smallint') split!: number;
  @Column('timestamptz', { default: () => 'billing_now()' }) createdAt!: Date;
}
