import { Injectable } from '@nestjs/common';
import type { CallRequest, CallResponse, TaskAcceptedResponse } from '@platform/contracts';
import type { UserCaller } from '@platform/guards';
import type { CancellationSignal } from '@platform/platform';
import type { Response } from 'express';
import { CallsService } from '../calls/calls.service.js';
import { TasksService } from '../tasks/tasks.service.js';

/** Answers calls at once, or starts a task and answers 202. */
@Injectable()
export class AsyncCallsService {
  constructor(
    private readonly calls: CallsService,
    private readonly tasks: TasksService,
  ) {}

  /**
   * Starts a task for the call and answers 202 with its address. If `TasksService.startTask`
   * returns null (for a function of the platform, for example), makes the call and answers with its
   * result: RFC 7240 lets a server ignore a preference.
   *
   * @throws AppError like `TasksService.startTask` and `CallsService.call`.
   */
  async startTaskOrCall(
    user: UserCaller,
    appId: string,
    request: CallRequest,
    gone: CancellationSignal,
    response: Response,
  ): Promise<CallResponse | TaskAcceptedResponse> {
    const task = await this.tasks.startTask(user, appId, request);
    if (!task) return this.calls.call(user, appId, request, gone);
    response.status(202).header({ Location: `/v1/tasks/${task.task_id}`, 'Preference-Applied': 'respond-async' });
    return task;
  }
}
