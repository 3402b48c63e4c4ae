import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ActiveTasksResponse, CancelledTaskResponse, TaskResponse } from '@platform/contracts';
import { Access, CurrentUser, type UserCaller } from '@platform/guards';
import { RefusesUnknownQueryKeys } from '@platform/platform';
import { Tasks } from './tasks.service.js';

@ApiTags('Extension calls')
@Controller('v1/tasks')
export class TasksController {
  constructor(private readonly tasks: Tasks) {}

  /** The user's calls that go on after their request (`Prefer: respond-async`), as long as they wait or run. */
  @Get('active')
  @Access('bearerOrActingUser', { keyScope: 'tasks:read', permission: 'calls' })
  @RefusesUnknownQueryKeys()
  listActiveTasks(@CurrentUser() user: UserCaller): Promise<ActiveTasksResponse> {
    return this.tasks.active(user);
  }

  /** A task, and what became of it: that is kept for a day, of the newest 100 of a user. */
  @Get(':task_id')
  @Access('bearerOrActingUser', { keyScope: 'tasks:read', permission: 'calls' })
  readTask(@CurrentUser() user: UserCaller, @Param('task_id') id: string): Promise<TaskResponse> {
    return this.tasks.get(user, id);
  }

  /**
   * One that waits is not begun. One that runs is ended where the call costs nothing; where it costs something, the function is told when it says how
   * far it is, and is charged if it succeeds all the same.
   */
  @Post(':task_id/cancel')
  @HttpCode(200)
  @Access('bearerOrActingUser', { keyScope: 'tasks:write', permission: 'calls' })
  cancelTask(@CurrentUser() user: UserCaller, @Param('task_id') id: string): Promise<CancelledTaskResponse> {
    return this.tasks.cancel(user, id);
  }
}
