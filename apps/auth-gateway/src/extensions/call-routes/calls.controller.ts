import { Body, Controller, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiHeader, ApiResponse, ApiTags } from '@nestjs/swagger';
import { BatchCallRequest, CallRequest, CallResponse, TaskAcceptedResponse } from '@platform/contracts';
import { Access, CurrentUser, type UserCaller } from '@platform/guards';
import { CallerGone, type CancellationSignal } from '@platform/platform';
import type { Response } from 'express';
import { Calls } from '../calls/calls.service.js';
import { CallAnswers } from './call-answers.js';
import { PrefersAsync } from './prefers-async.js';

@ApiTags('Extension calls')
@Controller('v1/extensions/:app_id')
export class CallsController {
  constructor(
    private readonly calls: Calls,
    private readonly answers: CallAnswers,
  ) {}

  /**
   * Calls a function of an extension. A function that failed answers 200 with `status: error`. With `Prefer: respond-async` it goes on after the request,
   * for up to 180 s, as a task that `GET /v1/tasks/{task_id}` tells of; functions of the system, and calls that fail before they begin, are
   * answered at once all the same.
   */
  @Post('call')
  @HttpCode(200)
  @Access('bearerOrActingUser', { keyScope: ['extensions:call', '{app_id}:call'], permission: 'calls' })
  @ApiHeader({ name: 'Prefer', required: false, description: '`respond-async`: do not wait for the function.', schema: { type: 'string' } })
  @ApiResponse({ status: 200, type: CallResponse })
  @ApiResponse({ status: 202, type: TaskAcceptedResponse, description: 'It goes on as a task.' })
  callFunction(
    @CurrentUser() user: UserCaller,
    @Param('app_id') appId: string,
    @Body() request: CallRequest,
    @CallerGone() gone: CancellationSignal,
    @PrefersAsync() prefersAsync: boolean,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CallResponse | TaskAcceptedResponse> {
    return prefersAsync ? this.answers.byTask(user, appId, request, gone, response) : this.calls.call(user, appId, request, gone);
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
