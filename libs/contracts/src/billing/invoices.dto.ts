import { ApiProperty } from '@nestjs/swagger';
import { IsQueryInteger } from '../validators.js';
import { BillingProfile } from './billing-profile.dto.js';

export class ListInvoicesQuery {
  /** Maximum number of items in the answer. */
  @IsQueryInteger({ minimum: 1, maximum: 200, default: 50 }) limit: number = 50;
  /** Number of items to skip. */
  @IsQueryInteger({ minimum: 0, maximum: 999_999_999_999, default: 0 }) offset: number = 0;
}

export class InvoiceLine {
  /**
   * Name of the item.
   * @example 10,000 credits
   */
  description!: string;
  /** Number of units. */
  @ApiProperty({ type: 'integer' }) quantity!: number;
  /** Price of one unit in cents of the invoice's currency. */
  @ApiProperty({ type: 'integer' }) unit_cents!: number;
  /** Price of all units in cents of the invoice's currency. */
  @ApiProperty({ type: 'integer' }) amount_cents!: number;
}

/** The buyer at the time of the invoice. Later changes of the billing profile do not change it. */
export class InvoiceBuyer extends BillingProfile {
  /** Email address of the account. */
  email!: string;
}

/** An invoice for a payment, or a credit note for a refund. It never changes. */
export class InvoiceResponse {
  /** Id of the invoice or credit note. */
  id!: string;
  /**
   * Consecutive number of the invoice or credit note.
   * @example 2026-000017
   */
  number!: string;
  /** `invoice` for a payment, `credit_note` for a refund. */
  @ApiProperty({ enum: ['invoice', 'credit_note'] }) kind!: 'invoice' | 'credit_note';
  /** Id of the invoice that a credit note reduces; null for an invoice. */
  credited_invoice_id!: string | null;
  /** Number of the invoice that a credit note reduces; null for an invoice. */
  credited_invoice_number!: string | null;
  /**
   * Id of the payment at the payment provider.
   * @example pi_3MtwBwLkdIwHu7ix28a3tqPa
   */
  payment_intent_id!: string;
  /** Seller, as the operator configured it. */
  seller!: string;
  /** The buyer at the time of the invoice. */
  buyer!: InvoiceBuyer;
  /** Items of the invoice. */
  lines!: InvoiceLine[];
  /** Sum of the items in cents, without tax. */
  @ApiProperty({ type: 'integer' }) subtotal_cents!: number;
  /** Tax in cents. */
  @ApiProperty({ type: 'integer' }) tax_cents!: number;
  /** Total in cents, with tax. */
  @ApiProperty({ type: 'integer' }) total_cents!: number;
  /**
   * Currency code (ISO 4217) in lower case.
   * @example usd
   */
  currency!: string;
  /** Time of issue. */
  issued_at!: Date;
}
