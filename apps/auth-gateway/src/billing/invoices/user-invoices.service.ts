import { Injectable } from '@nestjs/common';
import { InvoicesRepository, type InvoiceRow } from '@platform/billing';
import type { InvoiceResponse, ListInvoicesQuery } from '@platform/contracts';
import type { UserCaller } from '@platform/guards';
import { TenantData } from '@platform/persistence';
import { DataSource } from 'typeorm';
import { InvoiceErrors } from './invoices.errors.js';

/** Invoices and credit notes of users. */
@Injectable()
export class UserInvoicesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly invoices: InvoicesRepository,
  ) {}

  /** Lists the user's invoices and credit notes, newest first. */
  async listInvoices({ userId, tenantId }: UserCaller, page: ListInvoicesQuery): Promise<InvoiceResponse[]> {
    return (await this.invoices.listInvoices(this.tenantData(tenantId), userId, page)).map(toResponse);
  }

  /**
   * Returns an invoice or credit note.
   *
   * @throws AppError 404 `invoice.not_found` if this user has none with the id.
   */
  async getInvoice({ userId, tenantId }: UserCaller, id: string): Promise<InvoiceResponse> {
    const found = await this.invoices.findInvoice(this.tenantData(tenantId), userId, id);
    if (!found) throw InvoiceErrors.notFound();
    return toResponse(found);
  }

  /**
   * Renders an invoice or credit note as an HTML page to print.
   *
   * @throws AppError 404 as `getInvoice` does.
   */
  async getInvoicePage(user: UserCaller, id: string): Promise<string> {
    const invoice = await this.getInvoice(user, id);
    const { renderInvoicePage: invoicePage } = await import('./invoice-page.js');
    return invoicePage(invoice);
  }

  private tenantData(tenantId: string): TenantData {
    return new TenantData(this.dataSource.manager, tenantId);
  }
}

const toResponse = (row: InvoiceRow): InvoiceResponse => ({
  id: row.id,
  number: row.number,
  kind: row.kind,
  credited_invoice_id: row.invoice_id,
  credited_invoice_number: row.credited_number,
  payment_intent_id: row.payment_intent_id,
  seller: row.seller,
  buyer: row.buyer,
  lines: row.lines,
  subtotal_cents: row.subtotal_cents,
  tax_cents: row.tax_cents,
  total_cents: row.total_cents,
  currency: row.currency,
  issued_at: row.issued_at,
});
