import { Injectable } from '@nestjs/common';
import type { CallRequest, CallResponse, TaskAcceptedResponse } from '@platform/contracts';
import type { UserCaller } from '@platform/guards';
import type { CancellationSignal } from '@platform/platform';
import type { Response } from 'express';
import { Calls } from '../calls/calls.service.js';
import { Tasks } from '../tasks/tasks.service.js';

/** Calls that are answered at once, or by a task. */
@Injectable()
export class CallAnswers {
  constructor(
    private readonly calls: Calls,
    private readonly tasks: Tasks,
  ) {}

  /** Where no task can be made of the call, it is answered with what it gives, as RFC 7240 has it of preferences that are not honoured. */
  async byTask(
    user: UserCaller,
    appId: string,
    request: CallRequest,
    gone: CancellationSignal,
    response: Response,
  ): Promise<CallResponse | TaskAcceptedResponse> {
    const task = await this.tasks.start(user, appId, request);
    if (!task) return this.calls.call(user, appId, request, gone);
    response.status(202).header({ Location: `/v1/tasks/${task.task_id}`, 'Preference-Applied': 'respond-async' });
    return task;
  }
}
