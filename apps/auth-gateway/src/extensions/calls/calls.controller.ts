import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { BatchCallRequest, CallRequest, CallResponse } from '@platform/contracts';
import { Access, CurrentUser, type UserCaller } from '@platform/guards';
import { CallerGone, type CancellationSignal } from '@platform/platform';
import { Calls } from './calls.service.js';

@ApiTags('Extension calls')
@Controller('v1/extensions/:app_id')
export class CallsController {
  constructor(private readonly calls: Calls) {}

  /** Calls a function of an extension. A function that failed answers 200 with `status: error`. */
  @Post('call')
  @HttpCode(200)
  @Access('bearerOrActingUser', { keyScope: ['extensions:call', '{app_id}:call'], permission: 'calls' })
  callFunction(
    @CurrentUser() user: UserCaller,
    @Param('app_id') appId: string,
    @Body() request: CallRequest,
    @CallerGone() gone: CancellationSignal,
  ): Promise<CallResponse> {
    return this.calls.call(user, appId, request, gone);
  }

  /** Calls functions of an extension side by side. Answers in their order; what fails keeps the others from nothing. */
  @Post('batch')
  @HttpCode(200)
  @Access('bearerOrActingUser', { keyScope: ['extensions:call', '{app_id}:call'], permission: 'calls' })
  callFunctions(
    @CurrentUser() user: UserCaller,
    @Param('app_id') appId: string,
    @Body() request: BatchCallRequest,
    @CallerGone() gone: CancellationSignal,
  ): Promise<CallResponse[]> {
    return this.calls.batch(user, appId, request, gone);
  }
}
