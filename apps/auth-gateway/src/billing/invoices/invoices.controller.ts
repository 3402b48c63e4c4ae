import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import { InvoiceResponse, ListInvoicesQuery } from '@platform/contracts';
import { Access, CurrentUser, type UserCaller } from '@platform/guards';
import type { Response } from 'express';
import { INVOICE_PAGE_HEADERS } from './invoice-page-headers.js';
import { UserInvoicesService } from './user-invoices.service.js';

@ApiTags('Billing')
@Controller('v1/billing/invoices')
export class InvoicesController {
  constructor(private readonly invoices: UserInvoicesService) {}

  /** Lists the caller's invoices and credit notes, newest first. */
  @Get()
  @Access('bearerOrActingUser', { keyScope: 'billing:read', permission: 'billing' })
  listInvoices(@CurrentUser() user: UserCaller, @Query() page: ListInvoicesQuery): Promise<InvoiceResponse[]> {
    return this.invoices.listInvoices(user, page);
  }

  /**
   * Returns an invoice or credit note of the caller. Answers 404 `invoice.not_found` if the caller
   * has none with this id.
   */
  @Get(':invoice_id')
  @Access('bearerOrActingUser', { keyScope: 'billing:read', permission: 'billing' })
  getInvoice(@CurrentUser() user: UserCaller, @Param('invoice_id') id: string): Promise<InvoiceResponse> {
    return this.invoices.getInvoice(user, id);
  }

  /**
   * Returns an invoice or credit note of the caller as an HTML page to print. The page contains no
   * scripts and loads nothing from elsewhere. Answers 404 `invoice.not_found` if the caller has
   * none with this id.
   */
  @Get(':invoice_id/html')
  @Access('bearerOrActingUser', { keyScope: 'billing:read', permission: 'billing' })
  @ApiProduces('text/html')
  @ApiOkResponse({ schema: { type: 'string' } })
  async getInvoicePage(
    @CurrentUser() user: UserCaller,
    @Param('invoice_id') id: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string> {
    const page = await this.invoices.getInvoicePage(user, id);
    response.set(INVOICE_PAGE_HEADERS);
    return page;
  }
}
