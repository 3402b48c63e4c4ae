import { Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { PortalSessionResponse } from '@platform/contracts';
import { Access, CurrentUser, UserLimit, type UserCaller } from '@platform/guards';
import { PANEL_PAGES } from '../../releases/panel-pages.js';
import { BILLING_LIMITS } from '../payments.limits.js';
import { PortalService } from './portal.service.js';

@ApiTags('Billing')
@Controller('v1/billing/portal')
export class PortalController {
  constructor(private readonly portal: PortalService) {}

  /**
   * Returns the address of a page of the payment provider with the caller's cards and receipts. The
   * request takes no `Idempotency-Key`: each answer is a new address, which the platform does not
   * store. Answers 429 `payment.too_many_declines` after too many declines in an hour.
   */
  @Post()
  @HttpCode(200)
  @Access('sessionOrActingUser', { permission: 'billing', money: PANEL_PAGES.payments })
  @UserLimit(...BILLING_LIMITS)
  openPortal(@CurrentUser() user: UserCaller): Promise<PortalSessionResponse> {
    return this.portal.createPortalSession(user);
  }
}
