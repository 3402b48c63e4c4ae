import { call } from '@platform/client';
import type { Command } from 'commander';
import type { Context, ContextOf } from '../context.js';
import { printable } from '../text/printable.js';

export function addWhoami(program: Command, contextOf: ContextOf): void {
  program
    .command('whoami')
    .description('show the signed-in user. Accepts PLATFORM_API_KEY')
    .addHelpText('after', '\nExample:\n  $ platform whoami --json | jq -r .email')
    .action((_options: object, command: Command) => whoami(contextOf(command)));
}

async function whoami({ keyOrSession, output, settings }: Context): Promise<void> {
  const user = await call(keyOrSession.GET('/v1/auth/me'));
  const name = [user.first_name, user.last_name].filter(Boolean).join(' ');
  const lines = [
    output.bold(printable(user.email)),
    ...(name ? [`  Name     ${printable(name)}`] : []),
    `  Role     ${printable(user.role)}`,
    `  Tenant   ${printable(user.tenant_id)}`,
    `  User id  ${printable(user.id)}`,
    `  Scopes   ${printable(user.scopes.join(', ')) || 'none'}`,
    `  Server   ${settings.url}`,
  ];
  output.result(user, lines.join('\n'));
}
