import { call } from '@platform/client';
import type { Command } from 'commander';
import type { Context, ContextOf } from '../context.js';
import { table } from '../text/table.js';
import { printable } from '../text/printable.js';
import { moment, parseExpiry } from '../text/times.js';

interface CreateOptions {
  scopes?: string;
  expires?: string;
}

export function addKeys(program: Command, contextOf: ContextOf): void {
  const keys = program.command('keys').description('manage API keys for programs that act for you');
  keys
    .command('list', { isDefault: true })
    .description('list your API keys (the default)')
    .action((_options: object, command: Command) => list(contextOf(command)));
  keys
    .command('create')
    .argument('<name>', 'name that says what the key is for')
    .option('--scopes <list>', 'scopes, separated by commas; all of your scopes by default')
    .option('--expires <when>', 'expiry: 12h, 90d, 4w or a date; never by default', parseExpiry)
    .description('create an API key and print it once')
    .addHelpText('after', '\nExample:\n  $ platform keys create ci --scopes apps:read --expires 90d > key.txt')
    .action((name: string, options: CreateOptions, command: Command) => create(contextOf(command), name, options));
  keys
    .command('delete')
    .argument('<id>', 'id, see `platform keys`')
    .description('delete an API key; it stops working at once')
    .action((id: string, _options: object, command: Command) => remove(contextOf(command), id));
}

async function list(context: Context): Promise<void> {
  const session = await context.session();
  const keys = await call(session.GET('/v1/keys'));
  const rows = keys.map(({ id, name, key_prefix, scopes, created_at, last_used_at, expires_at }) => {
    return [id, name, `${key_prefix}…`, scopes, moment(created_at), moment(last_used_at), moment(expires_at)];
  });
  const headings = ['ID', 'NAME', 'KEY', 'SCOPES', 'CREATED', 'LAST USED', 'EXPIRES'];
  context.output.result(
    keys,
    rows.length ? table(headings, rows) : 'You have no API keys. Create one with `platform keys create <name>`.',
  );
}

async function create(context: Context, name: string, { scopes, expires }: CreateOptions): Promise<void> {
  const session = await context.session();
  const key = await call(session.POST('/v1/keys', { body: { name, scopes, expires_at: expires } }));
  context.output.note('Store this key like a password. It is not shown again.');
  context.output.result(key, printable(key.key));
}

async function remove(context: Context, id: string): Promise<void> {
  const session = await context.session();
  const answer = await call(session.DELETE('/v1/keys/{key_id}', { params: { path: { key_id: id } } }));
  context.output.result(answer, `The API key ${printable(answer.id)} was deleted.`);
}
