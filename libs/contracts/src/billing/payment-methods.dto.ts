import { ApiProperty } from '@nestjs/swagger';

/** A card that is kept at the payment provider. Its number is nowhere here. */
export class PaymentMethodItem {
  /** @example pm_1MtwBwLkdIwHu7ixEo9k2nZx */
  id!: string;
  /** @example card */
  type!: string;
  /** @example visa */
  brand!: string;
  /** @example 4242 */
  last4!: string;
  @ApiProperty({ type: 'integer' }) exp_month!: number;
  @ApiProperty({ type: 'integer' }) exp_year!: number;
  /** Whether it pays what comes without the user: renewals, and top-ups that happen by themselves. */
  is_default!: boolean;
}

export class SetupResponse {
  /** For the provider's form, which keeps the card. It belongs to the user alone. */
  client_secret!: string;
  /** @example seti_1MtwBwLkdIwHu7ixEo9k2nZx */
  setup_intent_id!: string;
  /** Of the provider's form, for browsers. No secret. */
  publishable_key!: string;
}

/** The card pays renewals and automatic top-ups from now on. */
export class PaymentMethodUpdated {
  status!: 'updated';
  /** @example pm_1MtwBwLkdIwHu7ixEo9k2nZx */
  id!: string;
}

export class PaymentMethodRemoved {
  status!: 'removed';
  /** @example pm_1MtwBwLkdIwHu7ixEo9k2nZx */
  id!: string;
}
