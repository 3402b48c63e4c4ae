import { ApiProperty } from '@nestjs/swagger';
import { IsQueryInteger } from '../validators.js';
import { BillingProfile } from './billing-profile.dto.js';

export class ListInvoicesQuery {
  @IsQueryInteger({ minimum: 1, maximum: 200, default: 50 }) limit: number = 50;
  @IsQueryInteger({ minimum: 0, maximum: 999_999_999_999, default: 0 }) offset: number = 0;
}

export class InvoiceLine {
  /** @example 10,000 credits */
  description!: string;
  @ApiProperty({ type: 'integer' }) quantity!: number;
  /** Price of one unit in cents of the invoice's currency. */
  @ApiProperty({ type: 'integer' }) unit_cents!: number;
  @ApiProperty({ type: 'integer' }) amount_cents!: number;
}

/** The buyer at the time of the invoice. Later changes of the billing profile do not change it. */
export class InvoiceBuyer extends BillingProfile {
  email!: string;
}

/** An invoice for a payment, or a credit note for a refund. It never changes. */
export class InvoiceResponse {
  id!: string;
  /**
   * Consecutive number of the invoice or credit note.
   * @example 2026-000017
   */
  number!: string;
  @ApiProperty({ enum: ['invoice', 'credit_note'] }) kind!: 'invoice' | 'credit_note';
  /** Id of the invoice that a credit note reduces; null for an invoice. */
  credited_invoice_id!: string | null;
  credited_invoice_number!: string | null;
  /**
   * Id of the payment at the payment provider.
   * @example pi_3MtwBwLkdIwHu7ix28a3tqPa
   */
  payment_intent_id!: string;
  /** Seller, as the operator configured it. */
  seller!: string;
  buyer!: InvoiceBuyer;
  lines!: InvoiceLine[];
  @ApiProperty({ type: 'integer' }) subtotal_cents!: number;
  @ApiProperty({ type: 'integer' }) tax_cents!: number;
  @ApiProperty({ type: 'integer' }) total_cents!: number;
  /**
   * Currency code (ISO 4217) in lower case.
   * @example usd
   */
  currency!: string;
  issued_at!: Date;
}
