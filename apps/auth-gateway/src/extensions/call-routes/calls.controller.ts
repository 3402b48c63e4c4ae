import { Body, Controller, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiHeader, ApiResponse, ApiTags } from '@nestjs/swagger';
import { BatchCallRequest, CallRequest, CallResponse, TaskAcceptedResponse } from '@platform/contracts';
import { Access, CurrentUser, type UserCaller } from '@platform/guards';
import { DisconnectSignal, type CancellationSignal } from '@platform/platform';
import type { Response } from 'express';
import { CallsService } from '../calls/calls.service.js';
import { AsyncCallsService } from './async-calls.service.js';
import { PrefersAsync } from './prefers-async.js';

@ApiTags('Extension calls')
@Controller('v1/extensions/:app_id')
export class CallsController {
  constructor(
    private readonly calls: CallsService,
    private readonly answers: AsyncCallsService,
  ) {}

  /**
   * Calls a function of an app. A function that failed answers 200 with `status: error`. With
   * `Prefer: respond-async` the answer is 202, and the function continues as a task for up to 180
   * s; read its result with `GET /v1/tasks/{task_id}`. Functions of the platform, and calls that
   * fail before they begin, are answered at once even then. A user who cannot call the app is
   * answered 404 or 403, and a price that they cannot pay or did not agree to 402 or 409.
   */
  @Post('call')
  @HttpCode(200)
  @Access('bearerOrActingUser', { keyScope: ['extensions:call', '{app_id}:call'], permission: 'calls' })
  @ApiHeader({
    name: 'Prefer',
    required: false,
    description: '`respond-async`: do not wait for the function.',
    schema: { type: 'string' },
  })
  @ApiResponse({ status: 200, type: CallResponse })
  @ApiResponse({ status: 202, type: TaskAcceptedResponse, description: 'The call continues as a task.' })
  callFunction(
    @CurrentUser() user: UserCaller,
    @Param('app_id') appId: string,
    @Body() request: CallRequest,
    @DisconnectSignal() gone: CancellationSignal,
    @PrefersAsync() prefersAsync: boolean,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CallResponse | TaskAcceptedResponse> {
    return prefersAsync
      ? this.answers.startTaskOrCall(user, appId, request, gone, response)
      : this.calls.call(user, appId, request, gone);
  }

  /**
   * Calls functions of an app, up to 8 at the same time. The answers are in the order of the calls.
   * A failed or refused call has `status: error` and does not affect the others. A user who cannot
   * call the app is answered 404 or 403, and a rate limit without room for all calls 429; nothing
   * has run then.
   */
  @Post('batch')
  @HttpCode(200)
  @Access('bearerOrActingUser', { keyScope: ['extensions:call', '{app_id}:call'], permission: 'calls' })
  callFunctions(
    @CurrentUser() user: UserCaller,
    @Param('app_id') appId: string,
    @Body() request: BatchCallRequest,
    @DisconnectSignal() gone: CancellationSignal,
  ): Promise<CallResponse[]> {
    return this.calls.callBatch(user, appId, request, gone);
  }
}
