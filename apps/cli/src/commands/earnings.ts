import { call } from '@platform/client';
import type { Command } from 'commander';
import type { Context, ContextOf } from '../context.js';
import { credits } from '../text/credits.js';
import { printable } from '../text/printable.js';
import { table } from '../text/table.js';

export function addEarnings(program: Command, contextOf: ContextOf): void {
  program
    .command('earnings')
    .argument('[app]', 'one of your apps; all of them unless told')
    .description('what you earned as a developer. Takes PLATFORM_API_KEY too')
    .action((appId: string | undefined, _options: object, command: Command) =>
      appId === undefined ? ofAll(contextOf(command)) : ofApp(contextOf(command), appId),
    );
}

async function ofAll({ keyOrSession: client, output }: Context): Promise<void> {
  const earnings = await call(client.GET('/v1/developer/earnings', {}));
  const { total_earnings, paid_out, available } = earnings;
  const lines = [`You earned ${credits(total_earnings)}, of which ${credits(paid_out)} were paid out.`];
  lines.push(`${credits(available)} can be paid out: \`platform payouts request <credits>\`.`);
  output.result(earnings, lines.join('\n'));
}

async function ofApp({ keyOrSession: client, output }: Context, app_id: string): Promise<void> {
  const earnings = await call(client.GET('/v1/developer/earnings/{app_id}', { params: { path: { app_id } } }));
  const { total_earnings, action_count, by_period } = earnings;
  const line = `${printable(app_id)} earned ${credits(total_earnings)} by ${action_count} paid ${action_count === 1 ? 'call' : 'calls'}.`;
  const rows = by_period.filter(({ total }) => total > 0).map(({ day, total }) => [day, String(total)]);
  output.result(earnings, rows.length ? `${line}\n${table(['DAY', 'CREDITS'], rows)}` : line);
}
