import { Module } from '@nestjs/common';
import { CreditNotes } from './credit-notes.js';
import { InvoicesBySeller } from './invoices-by-seller.js';
import { InvoicesController } from './invoices.controller.js';
import { InvoicesOfUsers } from './invoices-of-users.js';

@Module({
  imports: [InvoicesBySeller],
  controllers: [InvoicesController],
  providers: [CreditNotes, InvoicesOfUsers],
  exports: [InvoicesOfUsers],
})
export class InvoicesOfUsersModule {}
