import { Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { PortalSessionResponse } from '@platform/contracts';
import { Access, CurrentUser, UserLimit, type UserCaller } from '@platform/guards';
import { PANEL_PAGES } from '../../releases/panel-pages.js';
import { BILLING_LIMITS } from '../payments.limits.js';
import { Portal } from './portal.js';

@ApiTags('Billing')
@Controller('v1/billing/portal')
export class PortalController {
  constructor(private readonly portal: Portal) {}

  /** A page of the payment provider, on which the caller sees cards and receipts. It takes no `Idempotency-Key`: each answer is a new address, which is not kept here. */
  @Post()
  @HttpCode(200)
  @Access('sessionOrActingUser', { permission: 'billing', money: PANEL_PAGES.payments })
  @UserLimit(...BILLING_LIMITS)
  openPortal(@CurrentUser() user: UserCaller): Promise<PortalSessionResponse> {
    return this.portal.open(user);
  }
}
