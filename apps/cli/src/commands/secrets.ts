import { call, type PlatformClient } from '@platform/client';
import type { Command } from 'commander';
import type { Context, ContextOf } from '../context.js';
import { ExitCode } from '../exit-codes.js';
import { CommandError } from '../failures.js';
import { printable } from '../text/printable.js';
import { readSecret } from '../text/read-secret.js';
import { table } from '../text/table.js';
import { moment } from '../text/times.js';

interface SecretsOptions {
  user?: boolean;
}

const USER_FLAG = ['--user', 'your own secret as a user of the app, instead of a secret of the app'] as const;

export function addSecrets(program: Command, contextOf: ContextOf): void {
  const secrets = program
    .command('secrets')
    .description('manage secrets of your apps, and your own secrets for installed apps. Accepts PLATFORM_API_KEY');
  secrets
    .command('list')
    .argument('<app>', 'id of the app')
    .option(...USER_FLAG)
    .description('list the declared secrets of an app, and which are set')
    .action((app: string, options: SecretsOptions, command: Command) => list(contextOf(command), app, options));
  secrets
    .command('set')
    .argument('<app>', 'id of the app')
    .argument('<name>', 'name that the app declares')
    .option(...USER_FLAG)
    .description('set a secret; the value is prompted for, or read from standard input')
    .addHelpText(
      'after',
      '\nExamples:\n  $ platform secrets set notes api_token\n  $ platform secrets set notes api_token < token.txt',
    )
    .action((app: string, name: string, options: SecretsOptions, command: Command) =>
      set(contextOf(command), app, name, options),
    );
  secrets
    .command('delete')
    .argument('<app>', 'id of the app')
    .argument('<name>', 'name that the app declares')
    .option(...USER_FLAG)
    .description('delete a secret')
    .action((app: string, name: string, options: SecretsOptions, command: Command) =>
      remove(contextOf(command), app, name, options),
    );
}

async function list({ keyOrSession: client, output }: Context, appId: string, { user }: SecretsOptions): Promise<void> {
  const secrets = await declared(client, appId, user);
  const rows = secrets.map(({ name, is_set, updated_at, description }) => [
    name,
    is_set ? 'set' : '-',
    moment(updated_at),
    description,
  ]);
  const none = user ? 'The app declares no user secrets.' : 'The running version declares no app secrets.';
  output.result(secrets, rows.length ? table(['NAME', 'VALUE', 'SET AT', 'DESCRIPTION'], rows) : none);
}

function declared(client: PlatformClient, appId: string, ofUser = false) {
  const params = { path: { app_id: appId } };
  return ofUser
    ? call(client.GET('/v1/secrets/{app_id}', { params }))
    : call(client.GET('/v1/developer/apps/{app_id}/secrets', { params }));
}

async function set(context: Context, appId: string, name: string, { user }: SecretsOptions): Promise<void> {
  const { keyOrSession: client, output } = context;
  const value = await readValue();
  const options = { params: { path: { app_id: appId, name } }, body: { value } };
  const answer = await (user
    ? call(client.PUT('/v1/secrets/{app_id}/{name}', options))
    : call(client.PUT('/v1/developer/apps/{app_id}/secrets/{name}', options)));
  output.result(answer, `The secret ${printable(answer.name)} was set.`);
}

async function remove(
  { keyOrSession: client, output }: Context,
  appId: string,
  name: string,
  { user }: SecretsOptions,
): Promise<void> {
  const options = { params: { path: { app_id: appId, name } } };
  const answer = await (user
    ? call(client.DELETE('/v1/secrets/{app_id}/{name}', options))
    : call(client.DELETE('/v1/developer/apps/{app_id}/secrets/{name}', options)));
  output.result(
    answer,
    answer.was_set ? `The secret ${printable(name)} was deleted.` : `The secret ${printable(name)} was not set.`,
  );
}

async function readValue(): Promise<string> {
  const value = await readSecret('Value (not shown): ');
  if (!value) throw new CommandError('The value is empty. Nothing was set.', ExitCode.usage);
  return value;
}
