import { ApiProperty } from '@nestjs/swagger';
import { IsOneOf, IsPattern, IsTrueOrFalse } from '../validators.js';
import { IsIntentId } from './topups.dto.js';

export const BILLING_PERIODS = ['monthly', 'annual'] as const;
export type BillingPeriod = (typeof BILLING_PERIODS)[number];

const IsPlanId = (): PropertyDecorator => IsPattern(/^[a-z][a-z0-9_-]{0,62}$/, { maxLength: 63, example: 'pro' });

/** The plan to subscribe to or to change to. */
export class SubscribeRequest {
  /** Id of the plan, from `GET /v1/billing/plans`. */
  @IsPlanId() plan_id!: string;
  /** Billing period. Only `monthly` is sold. */
  @IsOneOf(BILLING_PERIODS, 'monthly') period: BillingPeriod = 'monthly';
}

export class ChangePlanRequest extends SubscribeRequest {}

export class CheckoutRequest extends SubscribeRequest {
  /** True saves the card, which then pays the following months. */
  @IsTrueOrFalse() @ApiProperty({ required: false, default: true }) save_payment_method: boolean = true;
}

export class CheckoutResponse {
  /**
   * Secret for the payment form of the provider. Its holder can pay this payment, so give it only
   * to the user's browser.
   */
  client_secret!: string;
  /**
   * Id of the payment at the payment provider.
   * @example pi_3MtwBwLkdIwHu7ix28a3tqPa
   */
  payment_intent_id!: string;
  /** Public key for the payment form of the provider. It is not a secret. */
  publishable_key!: string;
  /** Amount in cents of the currency. */
  @ApiProperty({ type: 'integer' }) amount_cents!: number;
  /**
   * Currency code (ISO 4217) in lower case.
   * @example usd
   */
  currency!: string;
}

export class CheckoutConfirmRequest {
  /** Id of the payment at the payment provider. */
  @IsIntentId() payment_intent_id!: string;
}

export class CheckoutConfirmResponse {
  /** `processing` (with status 202): the bank has not decided yet; send the request again later. */
  @ApiProperty({ enum: ['active', 'processing'] }) status!: 'active' | 'processing';
  /**
   * Id of the plan.
   * @example pro
   */
  plan!: string;
  /** End of the paid time; null while the plan is not paid. */
  expires_at!: Date | null;
}

/** The price and the effect of a change of plan. */
export class PlanChangePreview {
  /** `upgrade` to a larger plan, `downgrade` to a smaller one. */
  @ApiProperty({ enum: ['upgrade', 'downgrade'] }) action!: 'upgrade' | 'downgrade';
  /**
   * Id of the new plan.
   * @example business
   */
  plan!: string;
  /** US cents for the rest of this period. 0 for a downgrade, and for an amount below 50 cents. */
  @ApiProperty({ type: 'integer' }) amount_cents!: number;
  /** Additional credits for the rest of this period. */
  @ApiProperty({ type: 'integer' }) tokens!: number;
  /** Time at which the plan changes: now for an upgrade, the end of the period for a downgrade. */
  effective_at!: Date;
}

/** Result of a change of plan. */
export class PlanChangeResponse extends PlanChangePreview {
  /** True if the plan has changed. */
  succeeded!: boolean;
  /** True if the user must finish the payment in a browser, with `client_secret`. */
  requires_action!: boolean;
  /**
   * Secret for the payment form of the provider; null if nothing is left to pay. Give it only to
   * the user's browser.
   */
  client_secret!: string | null;
  /** Id of the payment at the payment provider. */
  payment_intent_id!: string | null;
  /** Public key for the payment form of the provider. It is not a secret. */
  publishable_key!: string;
  /**
   * True if the change happens later: at the end of the period, or when the payment has succeeded.
   */
  pending!: boolean;
}

export class RenewResponse {
  /**
   * Status of the subscription.
   * @example active
   */
  status!: string;
  /**
   * Id of the plan.
   * @example pro
   */
  plan!: string;
  /** End of the paid time. */
  expires_at!: Date | null;
  /** True if the payment has succeeded. */
  succeeded!: boolean;
  /** True if the user must finish the payment in a browser, with `client_secret`. */
  requires_action!: boolean;
  /**
   * Secret for the payment form of the provider; null if nothing is left to pay. Give it only to
   * the user's browser.
   */
  client_secret!: string | null;
  /** Id of the payment at the payment provider. */
  payment_intent_id!: string | null;
  /** Public key for the payment form of the provider. It is not a secret. */
  publishable_key!: string;
  /** True if the payment is still in progress. */
  pending!: boolean;
}
