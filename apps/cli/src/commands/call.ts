import { call as answered, type CallResponse } from '@platform/client';
import type { Command } from 'commander';
import type { Context, ContextOf } from '../context.js';
import { CommandError } from '../failures.js';
import { parseParams } from '../text/call-params.js';
import { jsonText } from '../text/json-text.js';
import { printable } from '../text/printable.js';

/** A function has 30 s. */
const TIMEOUT_MS = 40_000;

interface CallOptions {
  params?: string;
}

export function addCall(program: Command, contextOf: ContextOf): void {
  program
    .command('call')
    .argument('<app>', 'the id of an app that you have installed')
    .argument('<function>', 'which of its functions')
    .option('--params <json>', 'its params: a JSON object, or @ and the name of a file that has it')
    .description('call a function of an app and print what it returns. Takes PLATFORM_API_KEY too')
    .addHelpText(
      'after',
      '\nExamples:\n  $ platform call notes add_note --params \'{"text": "Buy milk"}\'\n  $ platform call notes add_note --params @note.json',
    )
    .action((app: string, name: string, options: CallOptions, command: Command) => callFunction(contextOf(command), app, name, options));
}

async function callFunction(context: Context, appId: string, name: string, options: CallOptions): Promise<void> {
  const { output } = context;
  const params = options.params === undefined ? {} : await parseParams(options.params);
  const answer = await callExtension(context, appId, name, params);
  if (answer.summary !== null) output.note(printable(answer.summary));
  output.result(answer, jsonText(answer.data));
}

/** @throws CommandError when the function fails; with `--json` its answer has been printed then. */
export async function callExtension(context: Context, appId: string, name: string, params: Record<string, unknown>): Promise<CallResponse> {
  const client = context.keyOrSessionWithin(TIMEOUT_MS);
  const { id, tenant_id } = await answered(client.GET('/v1/auth/me'));
  const body = { user_id: id, tenant_id, function: name, params };
  const answer = await answered(client.POST('/v1/extensions/{app_id}/call', { params: { path: { app_id: appId } }, body }));
  if (answer.status === 'success') return answer;
  if (context.settings.json) context.output.result(answer, '');
  throw failureOf(answer);
}

function failureOf({ error, error_code: code, retryable }: CallResponse): CommandError {
  const hint = retryable ? ' The same call may succeed later.' : '';
  return new CommandError(`${printable(error ?? 'The function failed.')} (${printable(code ?? 'no code')})${hint}`);
}
