import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ActiveConfirmationsResponse, ConfirmationResponse, ConfirmedResponse, OperateRequest, OperateResponse } from '@platform/contracts';
import { Access, CurrentUser, type UserCaller } from '@platform/guards';
import { CallerGone, type CancellationSignal, RefusesUnknownQueryKeys } from '@platform/platform';
import { Confirmations } from './confirmations.service.js';
import { Operations } from './operations.js';

@ApiTags('Extension calls')
@Controller('v1/extensions/:app_id')
export class OperationsController {
  constructor(private readonly operations: Operations) {}

  /** Calls a function, or, unless it only reads, asks the user first: then answer the confirmation. */
  @Post('operate')
  @HttpCode(200)
  @Access('bearerOrActingUser', { keyScope: ['extensions:call', '{app_id}:call'], permission: 'calls' })
  operate(
    @CurrentUser() user: UserCaller,
    @Param('app_id') appId: string,
    @Body() request: OperateRequest,
    @CallerGone() gone: CancellationSignal,
  ): Promise<OperateResponse> {
    return this.operations.operate(user, appId, request, gone);
  }
}

/** To agree takes a person: an API key can only look. */
@ApiTags('Extension calls')
@Controller('v1/confirmations')
export class ConfirmationsController {
  constructor(
    private readonly confirmations: Confirmations,
    private readonly operations: Operations,
  ) {}

  /** The calls that wait for the user. */
  @Get('active')
  @Access('bearerOrActingUser', { keyScope: 'confirmations:read', permission: 'calls' })
  @RefusesUnknownQueryKeys()
  listActiveConfirmations(@CurrentUser() user: UserCaller): Promise<ActiveConfirmationsResponse> {
    return this.confirmations.active(user);
  }

  /** A call that waits or waited for the user; a day after its time was over it is forgotten. */
  @Get(':confirmation_id')
  @Access('bearerOrActingUser', { keyScope: 'confirmations:read', permission: 'calls' })
  readConfirmation(@CurrentUser() user: UserCaller, @Param('confirmation_id') id: string): Promise<ConfirmationResponse> {
    return this.confirmations.get(user, id);
  }

  /** Agrees: the call is made, once, and the answer says what became of it. */
  @Post([':confirmation_id/confirm', ':confirmation_id/accept'])
  @HttpCode(200)
  @Access('sessionOrActingUser', { permission: 'calls' })
  confirm(
    @CurrentUser() user: UserCaller,
    @Param('confirmation_id') id: string,
    @CallerGone() gone: CancellationSignal,
  ): Promise<ConfirmedResponse> {
    return this.operations.confirm(user, id, gone);
  }

  /** Declines: the call is never made. */
  @Post(':confirmation_id/cancel')
  @HttpCode(200)
  @Access('sessionOrActingUser', { permission: 'calls' })
  cancelConfirmation(@CurrentUser() user: UserCaller, @Param('confirmation_id') id: string): Promise<ConfirmationResponse> {
    return this.confirmations.answer(user, id, 'cancelled');
  }
}
