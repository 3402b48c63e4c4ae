import { call, type TaskResponse } from '@platform/client';
import type { Command } from 'commander';
import type { Context, ContextOf } from '../context.js';
import { printable } from '../text/printable.js';
import { table } from '../text/table.js';
import { moment } from '../text/times.js';

export function addTasks(program: Command, contextOf: ContextOf): void {
  const tasks = program
    .command('tasks')
    .description('show and cancel background calls (Prefer: respond-async). Accepts PLATFORM_API_KEY');
  tasks
    .command('list', { isDefault: true })
    .description('list waiting and running tasks, newest first (the default)')
    .action((_options: object, command: Command) => list(contextOf(command)));
  const ofOne = (name: string, description: string, act: (context: Context, id: string) => Promise<void>) =>
    tasks
      .command(name)
      .argument('<task>', 'id of the task')
      .description(description)
      .action((id: string, _options: object, command: Command) => act(contextOf(command), id));
  ofOne('show', 'show the progress and the result of a task; results are kept for a day', show);
  ofOne('cancel', 'cancel a task; a paid call may continue, and is charged if it still succeeds', cancel);
}

async function list({ keyOrSession: client, output }: Context): Promise<void> {
  const { tasks } = await call(client.GET('/v1/tasks/active', {}));
  const rows = tasks.map(({ task_id, status, app_id, function: name, progress, message, created_at }) => {
    return [task_id, status, `${app_id}.${name}`, `${progress} %`, moment(created_at), message ?? ''];
  });
  output.result(
    tasks,
    rows.length ? table(['ID', 'STATUS', 'CALL', 'DONE', 'SINCE', 'AT'], rows) : 'No tasks are waiting or running.',
  );
}

async function show({ keyOrSession: client, output }: Context, task_id: string): Promise<void> {
  const task = await call(client.GET('/v1/tasks/{task_id}', { params: { path: { task_id } } }));
  output.result(task, [headOf(task), ...resultOf(task)].map(printable).join('\n'));
}

/** Final states: the task no longer changes. */
const OVER: ReadonlySet<TaskResponse['status']> = new Set(['succeeded', 'failed', 'cancelled']);

const headOf = ({ task_id, app_id, function: name, status, progress, message }: TaskResponse): string =>
  `${task_id}: ${app_id}.${name} ${OVER.has(status) ? '' : 'is '}${status}, ${progress} % done${message === null ? '' : `: ${message}`}`;

function resultOf({ result }: TaskResponse): string[] {
  if (!result) return [];
  const { error, error_code, summary, data } = result;
  if (error !== null) return [`${error} (${error_code})`];
  return [...(summary === null ? [] : [summary]), ...(data === null ? [] : [JSON.stringify(data)])];
}

async function cancel({ keyOrSession: client, output }: Context, task_id: string): Promise<void> {
  const answer = await call(client.POST('/v1/tasks/{task_id}/cancel', { params: { path: { task_id } } }));
  output.result(answer, `${printable(answer.task_id)} is ${answer.status}.`);
}
