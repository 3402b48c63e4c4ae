import { ApiError, call } from '@platform/client';
import type { Command } from 'commander';
import { appIdInFile, defaultFile } from '../app-document/document-file.js';
import type { Context, ContextOf } from '../context.js';
import { CommandError } from '../failures.js';
import { printable } from '../text/printable.js';

interface Check {
  ok: boolean;
  required: boolean;
  message: string;
}

export function addSubmit(program: Command, contextOf: ContextOf): void {
  program
    .command('submit')
    .argument('[app]', 'id of the app; the app in this folder by default')
    .description('submit an app for review, to publish it in the marketplace. Accepts PLATFORM_API_KEY')
    .action((app: string | undefined, _options: object, command: Command) => submit(contextOf(command), app));
}

async function submit({ keyOrSession: client, output }: Context, app?: string): Promise<void> {
  const appId = app ?? (await appIdInFile(defaultFile()));
  const answer = await call(
    client.POST('/v1/developer/apps/{app_id}/submit', { params: { path: { app_id: appId } } }),
  ).catch((error: unknown) => {
    throw error instanceof ApiError && error.code === 'app.not_ready' ? notReady(error) : error;
  });
  const advice = answer.checks.filter(({ ok }) => !ok).map(({ message }) => `  Recommended: ${printable(message)}`);
  output.result(
    answer,
    [`${printable(answer.app_id)} ${printable(answer.version)} was submitted for review.`, ...advice].join('\n'),
  );
}

function notReady({ message, detail }: ApiError): CommandError {
  const checks = (detail['checks'] ?? []) as Check[];
  const missing = checks
    .filter(({ ok, required }) => required && !ok)
    .map((check) => `  Required: ${printable(check.message)}`);
  return new CommandError([printable(message), ...missing].join('\n'));
}
