import { Module } from '@nestjs/common';
import { CreditNotes } from './credit-notes.service.js';
import { InvoicesBySeller } from './seller-invoices.js';
import { InvoicesController } from './invoices.controller.js';
import { InvoicesOfUsers } from './user-invoices.service.js';

@Module({
  imports: [InvoicesBySeller],
  controllers: [InvoicesController],
  providers: [CreditNotes, InvoicesOfUsers],
  exports: [InvoicesOfUsers],
})
export class InvoicesOfUsersModule {}
