import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { SpendingResponse, UpdateSpendingRequest } from '@platform/contracts';
import { Access, CurrentUser, type UserCaller } from '@platform/guards';
import { PANEL_PAGES } from '../releases/panel-pages.js';
import { UserSpendingService } from './user-spending.service.js';

@ApiTags('Billing')
@Controller('v1/me/spending')
export class SpendingController {
  constructor(private readonly spending: UserSpendingService) {}

  /**
   * Returns the caller's monthly limits for spending without them, and the credits spent this
   * month.
   */
  @Get()
  @Access('bearerOrActingUser', { keyScope: 'billing:read', permission: 'billing' })
  readMySpending(@CurrentUser() user: UserCaller): Promise<SpendingResponse> {
    return this.spending.getSpending(user);
  }

  /**
   * Changes the caller's limits for spending without them. The change applies from the next call.
   * An absent limit stays as it is. Command line logins and API keys cannot send this request, so
   * that no script can raise the limits.
   */
  @Put()
  @Access('sessionOrActingUser', { permission: 'billing', money: PANEL_PAGES.wallet })
  updateMySpending(@CurrentUser() user: UserCaller, @Body() request: UpdateSpendingRequest): Promise<SpendingResponse> {
    return this.spending.updateSpending(user, request);
  }
}
