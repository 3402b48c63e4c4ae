import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { SpendingResponse, UpdateSpendingRequest } from '@platform/contracts';
import { Access, CurrentUser, type UserCaller } from '@platform/guards';
import { PANEL_PAGES } from '../releases/panel-pages.js';
import { SpendingOfUsers } from './spending-of-users.js';

@ApiTags('Billing')
@Controller('v1/me/spending')
export class SpendingController {
  constructor(private readonly spending: SpendingOfUsers) {}

  /** How much the caller lets be spent without them in a month, and what was in this one. */
  @Get()
  @Access('bearerOrActingUser', { keyScope: 'billing:read', permission: 'billing' })
  readMySpending(@CurrentUser() user: UserCaller): Promise<SpendingResponse> {
    return this.spending.get(user);
  }

  /** Changes what may be spent, from the next call on. What is absent stays. It takes a person: a command line or an API key, which a script holds, cannot let more be spent. */
  @Put()
  @Access('sessionOrActingUser', { permission: 'billing', money: PANEL_PAGES.wallet })
  updateMySpending(@CurrentUser() user: UserCaller, @Body() request: UpdateSpendingRequest): Promise<SpendingResponse> {
    return this.spending.update(user, request);
  }
}
