import { ApiProperty } from '@nestjs/swagger';

/** A card that is saved at the payment provider. The platform does not store its full number. */
export class PaymentMethodItem {
  /**
   * Id of the card at the payment provider.
   * @example pm_1MtwBwLkdIwHu7ixEo9k2nZx
   */
  id!: string;
  /**
   * Type of the payment method.
   * @example card
   */
  type!: string;
  /**
   * Brand of the card.
   * @example visa
   */
  brand!: string;
  /**
   * Last four digits of the card number.
   * @example 4242
   */
  last4!: string;
  /** Month of expiry, from 1 to 12. */
  @ApiProperty({ type: 'integer' }) exp_month!: number;
  /** Year of expiry, with four digits. */
  @ApiProperty({ type: 'integer' }) exp_year!: number;
  /** True if this card pays renewals and automatic top-ups. */
  is_default!: boolean;
}

export class SetupResponse {
  /**
   * Secret for the payment form of the provider, which saves the card. Give it only to the user's
   * browser.
   */
  client_secret!: string;
  /**
   * Id of the setup at the payment provider.
   * @example seti_1MtwBwLkdIwHu7ixEo9k2nZx
   */
  setup_intent_id!: string;
  /** Public key for the payment form of the provider. It is not a secret. */
  publishable_key!: string;
}

/** Confirms the new default card. It pays renewals and automatic top-ups from now on. */
export class PaymentMethodUpdated {
  /** Result of the request. */
  status!: 'updated';
  /**
   * Id of the card at the payment provider.
   * @example pm_1MtwBwLkdIwHu7ixEo9k2nZx
   */
  id!: string;
}

export class PaymentMethodRemoved {
  /** Result of the request. */
  status!: 'removed';
  /**
   * Id of the card at the payment provider.
   * @example pm_1MtwBwLkdIwHu7ixEo9k2nZx
   */
  id!: string;
}
