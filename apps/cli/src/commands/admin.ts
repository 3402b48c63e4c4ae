import { call } from '@platform/client';
import type { Command } from 'commander';
import type { Context, ContextOf } from '../context.js';
import { ExitCode } from '../exit-codes.js';
import { CommandError } from '../failures.js';
import { printable } from '../text/printable.js';
import { readSecret } from '../text/read-secret.js';

export function addAdmin(program: Command, contextOf: ContextOf): void {
  const admin = program
    .command('admin')
    .description('manage the administrators of your tenant, if you are an administrator');
  admin
    .command('create')
    .argument('<email>', 'email address of the new administrator; it counts as verified')
    .description('create an administrator; the password is prompted for, or read from standard input')
    .addHelpText('after', '\nExample:\n  $ platform admin create grace@example.com < password.txt')
    .action((email: string, _options: object, command: Command) => create(contextOf(command), email));
}

async function create(context: Context, email: string): Promise<void> {
  const session = await context.session();
  const password = await readSecret(`Password of ${printable(email)} (not shown): `);
  if (!password) throw new CommandError('The password is empty. No administrator was created.', ExitCode.usage);
  const user = await call(session.POST('/v1/users', { body: { email, password, role: 'admin' } }));
  context.output.result(
    user,
    `${printable(user.email)} is now an administrator of the tenant ${printable(user.tenant_id)}.`,
  );
}
