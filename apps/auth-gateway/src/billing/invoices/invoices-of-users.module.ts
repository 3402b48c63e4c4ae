import { Module } from '@nestjs/common';
import { InvoicesBySeller } from './invoices-by-seller.js';
import { InvoicesController } from './invoices.controller.js';
import { InvoicesOfUsers } from './invoices-of-users.js';

/** What users were billed. */
@Module({ imports: [InvoicesBySeller], controllers: [InvoicesController], providers: [InvoicesOfUsers] })
export class InvoicesOfUsersModule {}
