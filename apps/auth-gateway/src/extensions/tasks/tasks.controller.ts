import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ActiveTasksResponse, CancelledTaskResponse, TaskResponse } from '@platform/contracts';
import { Access, CurrentUser, type UserCaller } from '@platform/guards';
import { RefusesUnknownQueryKeys } from '@platform/platform';
import { TasksService } from './tasks.service.js';

@ApiTags('Extension calls')
@Controller('v1/tasks')
export class TasksController {
  constructor(private readonly tasks: TasksService) {}

  /**
   * Lists the user's waiting and running tasks. A task is a call with `Prefer: respond-async` that
   * continues after its request.
   */
  @Get('active')
  @Access('bearerOrActingUser', { keyScope: 'tasks:read', permission: 'calls' })
  @RefusesUnknownQueryKeys()
  listActiveTasks(@CurrentUser() user: UserCaller): Promise<ActiveTasksResponse> {
    return this.tasks.listActive(user);
  }

  /**
   * Reads a task with its result. Finished tasks are kept for a day, at most the newest 100 of a
   * user. An unknown task, and one of another user, is answered 404 `task.not_found`.
   */
  @Get(':task_id')
  @Access('bearerOrActingUser', { keyScope: 'tasks:read', permission: 'calls' })
  readTask(@CurrentUser() user: UserCaller, @Param('task_id') id: string): Promise<TaskResponse> {
    return this.tasks.getTask(user, id);
  }

  /**
   * Cancels a task. A waiting task is not started. A running task is ended if the call is free. If
   * the call costs credits, the function is told when it next reports its progress, and is charged
   * if it succeeds nevertheless. A task that has succeeded or failed is answered 409
   * `task.finished`.
   */
  @Post(':task_id/cancel')
  @HttpCode(200)
  @Access('bearerOrActingUser', { keyScope: 'tasks:write', permission: 'calls' })
  cancelTask(@CurrentUser() user: UserCaller, @Param('task_id') id: string): Promise<CancelledTaskResponse> {
    return this.tasks.cancelTask(user, id);
  }
}
