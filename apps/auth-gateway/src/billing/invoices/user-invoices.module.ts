import { Module } from '@nestjs/common';
import { CreditNotesService } from './credit-notes.service.js';
import { SellerInvoicesModule } from './seller-invoices.js';
import { InvoicesController } from './invoices.controller.js';
import { UserInvoicesService } from './user-invoices.service.js';

@Module({
  imports: [SellerInvoicesModule],
  controllers: [InvoicesController],
  providers: [CreditNotesService, UserInvoicesService],
  exports: [UserInvoicesService],
})
export class UserInvoicesModule {}
