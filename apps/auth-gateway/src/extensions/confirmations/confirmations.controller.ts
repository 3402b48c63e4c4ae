import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  ActiveConfirmationsResponse,
  ConfirmationResponse,
  ConfirmedResponse,
  OperateRequest,
  OperateResponse,
} from '@platform/contracts';
import { Access, CurrentUser, type UserCaller } from '@platform/guards';
import { DisconnectSignal, type CancellationSignal, RefusesUnknownQueryKeys } from '@platform/platform';
import { ConfirmationsService } from './confirmations.service.js';
import { OperationsService } from './operations.service.js';

@ApiTags('Extension calls')
@Controller('v1/extensions/:app_id')
export class OperationsController {
  constructor(private readonly operations: OperationsService) {}

  /**
   * Calls a function at once, or asks the user first. Functions that only read and cost nothing are
   * called at once. If the answer is a confirmation, the call waits until the user confirms it. A
   * user who cannot call the app is answered 404 or 403. If 50 confirmations wait already, the
   * answer is 429 `confirmation.too_many`.
   */
  @Post('operate')
  @HttpCode(200)
  @Access('bearerOrActingUser', { keyScope: ['extensions:call', '{app_id}:call'], permission: 'calls' })
  operate(
    @CurrentUser() user: UserCaller,
    @Param('app_id') appId: string,
    @Body() request: OperateRequest,
    @DisconnectSignal() gone: CancellationSignal,
  ): Promise<OperateResponse> {
    return this.operations.operate(user, appId, request, gone);
  }
}

/** Only a person can confirm. An API key can only read confirmations. */
@ApiTags('Extension calls')
@Controller('v1/confirmations')
export class ConfirmationsController {
  constructor(
    private readonly confirmations: ConfirmationsService,
    private readonly operations: OperationsService,
  ) {}

  /** Lists the calls that wait for the user's confirmation. */
  @Get('active')
  @Access('bearerOrActingUser', { keyScope: 'confirmations:read', permission: 'calls' })
  @RefusesUnknownQueryKeys()
  listActiveConfirmations(@CurrentUser() user: UserCaller): Promise<ActiveConfirmationsResponse> {
    return this.confirmations.listActive(user);
  }

  /**
   * Reads a confirmation. It is deleted one day after it expires. An unknown one, and one of
   * another user, is answered 404 `confirmation.not_found`.
   */
  @Get(':confirmation_id')
  @Access('bearerOrActingUser', { keyScope: 'confirmations:read', permission: 'calls' })
  readConfirmation(
    @CurrentUser() user: UserCaller,
    @Param('confirmation_id') id: string,
  ): Promise<ConfirmationResponse> {
    return this.confirmations.getConfirmation(user, id);
  }

  /**
   * Confirms the call: it is made once, and the answer contains its result, also if the function
   * failed. A confirmation that was answered before or has expired, and a call that became more
   * expensive or changed its type, is answered 409.
   */
  @Post([':confirmation_id/confirm', ':confirmation_id/accept'])
  @HttpCode(200)
  @Access('sessionOrActingUser', { permission: 'calls' })
  confirm(
    @CurrentUser() user: UserCaller,
    @Param('confirmation_id') id: string,
    @DisconnectSignal() gone: CancellationSignal,
  ): Promise<ConfirmedResponse> {
    return this.operations.confirm(user, id, gone);
  }

  /**
   * Declines the call: it is never made. A confirmation that was answered before or has expired is
   * answered 409, an unknown one 404 `confirmation.not_found`.
   */
  @Post(':confirmation_id/cancel')
  @HttpCode(200)
  @Access('sessionOrActingUser', { permission: 'calls' })
  cancelConfirmation(
    @CurrentUser() user: UserCaller,
    @Param('confirmation_id') id: string,
  ): Promise<ConfirmationResponse> {
    return this.confirmations.recordAnswer(user, id, 'cancelled');
  }
}
