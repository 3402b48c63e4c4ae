import { call } from '@platform/client';
import type { Command } from 'commander';
import type { Context, ContextOf } from '../context.js';
import { table } from '../text/table.js';

export function addPlans(program: Command, contextOf: ContextOf): void {
  program
    .command('plans')
    .description('list the available plans')
    .action((_options: object, command: Command) => plans(contextOf(command)));
}

async function plans({ anonymous, output }: Context): Promise<void> {
  const found = await call(anonymous.GET('/v1/billing/plans'));
  const rows = found.map(({ id, price, interval, included_tokens, limits }) => {
    const limit = (name: string) => (limits[name] === undefined ? 'no limit' : String(limits[name]));
    const isByContract = price === 0 && id !== 'free';
    const [cost, given] = isByContract
      ? ['by contract', 'by contract']
      : [`$${price} a ${interval}`, String(included_tokens)];
    return [id, cost, given, limit('tool_calls'), limit('automations')];
  });
  output.result(found, table(['PLAN', 'PRICE', 'CREDITS', 'CALLS', 'AUTOMATIONS'], rows));
}
