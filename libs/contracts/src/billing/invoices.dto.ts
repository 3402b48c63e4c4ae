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
  @ApiProperty({ type: 'integer' }) unit_cents!: number;
  @ApiProperty({ type: 'integer' }) amount_cents!: number;
}

/** To whom it was made out, as it was then. */
export class InvoiceBuyer extends BillingProfile {
  email!: string;
}

/** What was paid, or, of a credit note, what went back. It never changes. */
export class InvoiceResponse {
  id!: string;
  /** @example 2026-000017 */
  number!: string;
  @ApiProperty({ enum: ['invoice', 'credit_note'] }) kind!: 'invoice' | 'credit_note';
  /** Of a credit note: the invoice that it takes from. */
  credited_invoice_id!: string | null;
  credited_invoice_number!: string | null;
  /** @example pi_3MtwBwLkdIwHu7ix28a3tqPa */
  payment_intent_id!: string;
  /** Who sells. */
  seller!: string;
  buyer!: InvoiceBuyer;
  lines!: InvoiceLine[];
  @ApiProperty({ type: 'integer' }) subtotal_cents!: number;
  @ApiProperty({ type: 'integer' }) tax_cents!: number;
  @ApiProperty({ type: 'integer' }) total_cents!: number;
  /** @example usd */
  currency!: string;
  issued_at!: Date;
}
