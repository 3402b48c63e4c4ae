import { Injectable } from '@nestjs/common';
import type { TenantData } from '@platform/persistence';
import { newId } from '@platform/platform';
import type { EntityManager } from 'typeorm';
import type { Page } from '../page.js';
import type { PaymentRow } from '../payments/payment-row.js';
import { PaymentStatusService } from '../payments/payment-status.service.js';
import { INVOICE_COLUMNS, type InvoiceRow } from './invoice-row.js';
import type { Invoice, InvoiceBuyer, InvoiceLine } from './invoice.entity.js';
import { describePayment, createInvoiceLine } from './invoice-lines.js';

/** Seller, as new invoices and credit notes name it. */
export abstract class Seller {
  /** Name and address; can have several lines. */
  abstract readonly text: string;
  /** Text before the year in each number. Each series has its own numbers. */
  abstract readonly series: string;
}

/** Refund for which a credit note is issued. */
export interface CreditedRefund {
  paymentId: string;
  refundId: string;
  amountCents: number;
}

/** Content of an invoice or credit note, without its number and the seller. */
type Content = Pick<
  Invoice,
  'tenantId' | 'userId' | 'kind' | 'paymentId' | 'paymentIntentId' | 'refundId' | 'invoiceId' | 'currency'
> & {
  buyer: InvoiceBuyer;
  line: InvoiceLine;
};

type InvoiceToCredit = Pick<Invoice, 'id' | 'number' | 'currency' | 'buyer'> & {
  tenant_id: string;
  user_id: string;
  payment_intent_id: string;
  total_cents: number;
};

const SHOWN = `${INVOICE_COLUMNS}, (SELECT o.number FROM invoices o WHERE o.id = i.invoice_id) AS credited_number FROM invoices i`;

/**
 * Invoices for payments, and credit notes for refunds. Each is issued once, numbered without gaps,
 * and never changed.
 */
@Injectable()
export class InvoicesRepository {
  constructor(
    private readonly seller: Seller,
    paymentStatus: PaymentStatusService,
  ) {
    paymentStatus.onChange(
      (em, payment) => (payment.status === 'succeeded' ? this.issueInvoice(em, payment) : Promise.resolve()),
      {
        isLast: true,
      },
    );
  }

  /** Invoices and credit notes of the user, newest first. */
  listInvoices(tenant: TenantData, userId: string, { limit, offset }: Page): Promise<InvoiceRow[]> {
    return tenant.query<InvoiceRow>(
      `SELECT ${SHOWN} WHERE i.tenant_id = $tenant AND i.user_id = $1 ORDER BY i.issued_at DESC, i.serial DESC LIMIT $2 OFFSET $3`,
      [userId, limit, offset],
    );
  }

  /** Finds an invoice or credit note; null if the user has none with this id. */
  async findInvoice(tenant: TenantData, userId: string, id: string): Promise<InvoiceRow | null> {
    const [found] = await tenant.query<InvoiceRow>(
      `SELECT ${SHOWN} WHERE i.tenant_id = $tenant AND i.user_id = $1 AND i.id = $2`,
      [userId, id],
    );
    return found ?? null;
  }

  /**
   * Issues the credit note of a refund. Safe to repeat: returns the number of the existing one. The
   * amount is at most the amount left of the invoice.
   *
   * Call it last in the transaction that records the refund, after the locks on user, payment and
   * wallet: the transaction locks the counter of the series, and all others that issue anything
   * wait until it ends.
   *
   * @returns the number; null if the payment has no invoice, or nothing is left of the invoice.
   */
  async issueCreditNote(
    em: EntityManager,
    { paymentId, refundId, amountCents }: CreditedRefund,
  ): Promise<string | null> {
    const [invoice] = await em.query<InvoiceToCredit[]>(
      `SELECT id, tenant_id, user_id, number, payment_intent_id, total_cents, currency, buyer FROM invoices
       WHERE payment_id = $1 AND kind = 'invoice' FOR NO KEY UPDATE`,
      [paymentId],
    );
    if (!invoice) return null;
    const notes = await em.query<{ refund_id: string; number: string; total_cents: number }[]>(
      'SELECT refund_id, number, total_cents FROM invoices WHERE invoice_id = $1',
      [invoice.id],
    );
    const known = notes.find((note) => note.refund_id === refundId);
    if (known) return known.number;
    const left = notes.reduce((sum, note) => sum - note.total_cents, invoice.total_cents);
    // A refund that failed later already has a credit note. That note counts for the refund that
    // replaces it.
    const creditCents = Math.min(amountCents, left);
    if (creditCents <= 0) return null;
    return this.issue(em, {
      tenantId: invoice.tenant_id,
      userId: invoice.user_id,
      kind: 'credit_note',
      paymentId,
      paymentIntentId: invoice.payment_intent_id,
      refundId,
      invoiceId: invoice.id,
      currency: invoice.currency,
      buyer: invoice.buyer,
      line: createInvoiceLine(`Refund of invoice ${invoice.number}`, creditCents),
    });
  }

  private async issueInvoice(em: EntityManager, payment: PaymentRow): Promise<void> {
    const [found] = await em.query<
      [{ buyer: InvoiceBuyer; plan_name: string | null; starts_at: Date | null; ends_at: Date | null }]
    >(
      `SELECT jsonb_build_object('email', u.email, 'name', coalesce(b.name, nullif(concat_ws(' ', u.first_name, u.last_name), '')),
           'company', b.company, 'vat', b.vat, 'country', b.country) AS buyer,
         p.name AS plan_name, s.period_starts_at AS starts_at, s.period_ends_at AS ends_at
       FROM users u LEFT JOIN billing_profiles b ON b.user_id = u.id LEFT JOIN plans p ON p.id = $2 AND p.version = $3
         LEFT JOIN subscriptions s ON s.id = $4 AND s.user_id = u.id AND s.plan_id = $2 AND s.period_number = $5 AND s.status = 'active'
       WHERE u.id = $1`,
      [payment.user_id, payment.plan_id, payment.plan_version, payment.subscription_id, payment.period_number],
    );
    const period = found.starts_at && found.ends_at && { startsAt: found.starts_at, endsAt: found.ends_at };
    await this.issue(em, {
      tenantId: payment.tenant_id,
      userId: payment.user_id,
      kind: 'invoice',
      paymentId: payment.id,
      paymentIntentId: payment.provider_intent_id ?? '',
      refundId: null,
      invoiceId: null,
      currency: payment.currency,
      buyer: found.buyer,
      line: createInvoiceLine(describePayment(payment, found.plan_name, period), payment.amount_cents),
    });
  }

  /**
   * Stores an invoice or credit note under the next number of its series, and returns the number.
   */
  private async issue(em: EntityManager, content: Content): Promise<string> {
    const { series, text: seller } = this.seller;
    // The row stays locked until the transaction ends, and a rollback resets it. So there are no
    // gaps.
    const [counter] = await em.query<[{ year: number; last: number; issued_at: Date }]>(
      `INSERT INTO invoice_counters AS c (series, year, last, issued_at)
       SELECT $1, extract(year FROM now AT TIME ZONE 'UTC'), 1, now FROM (SELECT billing_now() AS now) AS t
       ON CONFLICT (series, year) DO UPDATE SET last = c.last + 1, issued_at = greatest(c.issued_at, excluded.issued_at)
       RETURNING year, last, issued_at`,
      [series],
    );
    const number = `${series}${counter.year}-${String(counter.last).padStart(6, '0')}`;
    const { line, tenantId, userId, kind, paymentId, paymentIntentId, refundId, invoiceId, buyer, currency } = content;
    await em.query(
      `INSERT INTO invoices (id, tenant_id, user_id, kind, series, year, serial, previous_serial, number, payment_id, payment_intent_id, refund_id, invoice_id,
         seller, buyer, lines, subtotal_cents, total_cents, currency, issued_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, nullif($7::int - 1, 0), $8, $9, $10, $11, $12, $13, $14, $15, $16, $16, $17, $18)`,
      [
        newId('inv'),
        tenantId,
        userId,
        kind,
        series,
        counter.year,
        counter.last,
        number,
        paymentId,
        paymentIntentId,
        refundId,
        invoiceId,
        seller,
        JSON.stringify(buyer),
        JSON.stringify([line]),
        line.amount_cents,
        currency,
        counter.issued_at,
      ],
    );
    return number;
  }
}
