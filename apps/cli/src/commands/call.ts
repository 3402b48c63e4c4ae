import { answerOfCall, ApiError, call as answered, type CallResponse } from '@platform/client';
import type { Command } from 'commander';
import type { Context, ContextOf } from '../context.js';
import { ExitCode } from '../exit-codes.js';
import { CommandError, LIMITS_COMMANDS } from '../failures.js';
import { parseParams } from '../text/call-params.js';
import { jsonText } from '../text/json-text.js';
import { printable, printableLines } from '../text/printable.js';

/** Longer than the 30 s that a function can run. */
const TIMEOUT_MS = 40_000;

interface CallOptions {
  params?: string;
}

export function addCall(program: Command, contextOf: ContextOf): void {
  program
    .command('call')
    .argument('<app>', 'id of an app that you have installed or develop')
    .argument('<function>', 'name of the function')
    .option('--params <json>', 'params as a JSON object, or @ and the name of a JSON file')
    .description('call a function of an app and print its result. Accepts PLATFORM_API_KEY')
    .addHelpText(
      'after',
      '\nExamples:\n  $ platform call notes add_note --params \'{"text": "Buy milk"}\'\n  $ platform call notes add_note --params @note.json',
    )
    .action((app: string, name: string, options: CallOptions, command: Command) =>
      callFunction(contextOf(command), app, name, options),
    );
}

async function callFunction(context: Context, appId: string, name: string, options: CallOptions): Promise<void> {
  const { output } = context;
  const params = options.params === undefined ? {} : await parseParams(options.params);
  const answer = await callExtension(context, appId, name, params);
  if (answer.summary !== null) output.note(printableLines(answer.summary));
  output.result(answer, jsonText(answer.data));
}

/**
 * Calls a function of an app as the user and returns its answer.
 *
 * @throws CommandError if the function fails, after its answer was printed if `--json` is set, or
 * if the user has not agreed to the price; ApiError if the platform refuses the call;
 * ConnectionError if it does not answer.
 */
export async function callExtension(
  context: Context,
  appId: string,
  name: string,
  params: Record<string, unknown>,
): Promise<CallResponse> {
  const client = context.keyOrSessionWithin(TIMEOUT_MS);
  const { id, tenant_id } = await answered(client.GET('/v1/auth/me'));
  const body = { user_id: id, tenant_id, function: name, params };
  const calling = client.POST('/v1/extensions/{app_id}/call', { params: { path: { app_id: appId } }, body });
  const answer = await answered(calling)
    .then(answerOfCall)
    .catch((error: unknown) => tellWithCommand(appId, error));
  if (answer.status === 'success') return answer;
  if (context.settings.json) context.output.result(answer, '');
  throw failureOf(answer);
}

/**
 * Throws the error of a refused call again. If the user has not agreed to the price, it adds the
 * command that agrees.
 *
 * @throws CommandError for `extension.price_not_agreed`; otherwise the error itself.
 */
function tellWithCommand(appId: string, error: unknown): never {
  if (!(error instanceof ApiError) || error.code !== 'extension.price_not_agreed') throw error;
  const { message, code, status, requestId, detail } = error;
  throw new CommandError(
    `${printable(message)} Agree with \`platform installs consent ${printable(appId)}\`.`,
    ExitCode.failure,
    {
      code,
      details: { ...detail, status, request_id: requestId },
    },
  );
}

/**
 * Advice for failures of a nested call. Only the message of the failure names the app that was
 * called.
 */
const ADVICE: Readonly<Record<string, string>> = {
  PRICE_NOT_AGREED: ' `platform installs --waiting` lists the app.',
  SPENDING_LIMIT_REACHED: ` Change the limit with ${LIMITS_COMMANDS}.`,
};

function failureOf({ error, error_code: code, retryable }: CallResponse): CommandError {
  const hint = (ADVICE[code ?? ''] ?? '') + (retryable ? ' Retry later.' : '');
  return new CommandError(`${printable(error ?? 'The function failed.')} (${printable(code ?? 'no code')})${hint}`);
}
