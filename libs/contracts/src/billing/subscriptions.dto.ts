import { ApiProperty } from '@nestjs/swagger';
import { IsOneOf, IsPattern, IsTrueOrFalse } from '../validators.js';
import { IsIntentId } from './topups.dto.js';

export const BILLING_PERIODS = ['monthly', 'annual'] as const;
export type BillingPeriod = (typeof BILLING_PERIODS)[number];

const IsPlanId = (): PropertyDecorator => IsPattern(/^[a-z][a-z0-9_-]{0,62}$/, { maxLength: 63, example: 'pro' });

/** A plan to subscribe to, or to change to. */
export class SubscribeRequest {
  @IsPlanId() plan_id!: string;
  /** Plans are sold by the month. */
  @IsOneOf(BILLING_PERIODS, 'monthly') period: BillingPeriod = 'monthly';
}

export class ChangePlanRequest extends SubscribeRequest {}

export class CheckoutRequest extends SubscribeRequest {
  /** Keeps the card, which then pays the months that follow. */
  @IsTrueOrFalse() @ApiProperty({ required: false, default: true }) save_payment_method: boolean = true;
}

export class CheckoutResponse {
  /** For the provider's form. It lets who has it pay this payment, so it belongs to the user alone. */
  client_secret!: string;
  /** @example pi_3MtwBwLkdIwHu7ix28a3tqPa */
  payment_intent_id!: string;
  /** Of the provider's form, for browsers. No secret. */
  publishable_key!: string;
  @ApiProperty({ type: 'integer' }) amount_cents!: number;
  /** @example usd */
  currency!: string;
}

export class CheckoutConfirmRequest {
  @IsIntentId() payment_intent_id!: string;
}

export class CheckoutConfirmResponse {
  /** `processing` with 202 while the bank takes its time: ask again later. */
  @ApiProperty({ enum: ['active', 'processing'] }) status!: 'active' | 'processing';
  /** @example pro */
  plan!: string;
  /** Until when it is paid; null while it is not. */
  expires_at!: Date | null;
}

/** What a change of plan would cost, or has. */
export class PlanChangePreview {
  @ApiProperty({ enum: ['upgrade', 'downgrade'] }) action!: 'upgrade' | 'downgrade';
  /** @example business */
  plan!: string;
  /** US cents for the rest of this period; 0 for a downgrade, and for what would be less than 50. */
  @ApiProperty({ type: 'integer' }) amount_cents!: number;
  /** Credits that the rest of this period brings more. */
  @ApiProperty({ type: 'integer' }) tokens!: number;
  /** When the plan changes: an upgrade at once, a downgrade at the end of the period. */
  effective_at!: Date;
}

/** What became of a change of plan, or of a renewal. */
export class PlanChangeResponse extends PlanChangePreview {
  /** Whether the plan has changed. */
  succeeded!: boolean;
  /** Whether a browser has to end the payment, with `client_secret`. */
  requires_action!: boolean;
  client_secret!: string | null;
  payment_intent_id!: string | null;
  /** Of the provider's form, for browsers. No secret. */
  publishable_key!: string;
  /** Whether it happens later: at the end of the period, or when the payment has come. */
  pending!: boolean;
}

export class RenewResponse {
  /** @example active */
  status!: string;
  /** @example pro */
  plan!: string;
  /** Until when it is paid. */
  expires_at!: Date | null;
  succeeded!: boolean;
  /** Whether a browser has to end the payment, with `client_secret`. */
  requires_action!: boolean;
  client_secret!: string | null;
  payment_intent_id!: string | null;
  /** Of the provider's form, for browsers. No secret. */
  publishable_key!: string;
  /** Whether the payment is under way. */
  pending!: boolean;
}
