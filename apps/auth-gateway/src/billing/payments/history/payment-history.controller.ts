import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ListPaymentsQuery, PaymentHistoryItem } from '@platform/contracts';
import { Access, CurrentUser, type UserCaller } from '@platform/guards';
import { PaymentHistory } from './payment-history.js';

@ApiTags('Billing')
@Controller('v1/billing/payments')
export class PaymentHistoryController {
  constructor(private readonly history: PaymentHistory) {}

  /** The caller's payments, the newest first, those that are under way among them. */
  @Get()
  @Access('bearerOrActingUser', { keyScope: 'billing:read', permission: 'billing' })
  listPayments(@CurrentUser() user: UserCaller, @Query() page: ListPaymentsQuery): Promise<PaymentHistoryItem[]> {
    return this.history.list(user, page);
  }
}
