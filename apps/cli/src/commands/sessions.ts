import { call, type SessionResponse } from '@platform/client';
import type { Command } from 'commander';
import type { Context, ContextOf } from '../context.js';
import { table } from '../text/table.js';
import { printable } from '../text/printable.js';
import { moment } from '../text/times.js';

export function addSessions(program: Command, contextOf: ContextOf): void {
  const sessions = program.command('sessions').description('list and end your sessions');
  sessions
    .command('list', { isDefault: true })
    .description('list your sessions (the default)')
    .action((_options: object, command: Command) => list(contextOf(command)));
  sessions
    .command('revoke')
    .argument('<id>', 'id, see `platform sessions`')
    .description('end one of your sessions')
    .action((id: string, _options: object, command: Command) => revoke(contextOf(command), id));
  sessions
    .command('revoke-others')
    .description('end all sessions except this one')
    .action((_options: object, command: Command) => revokeOthers(contextOf(command)));
}

async function list(context: Context): Promise<void> {
  const session = await context.session();
  const answer = await call(session.GET('/v1/auth/sessions'));
  const headings = ['', 'ID', 'SURFACE', 'LABEL', 'ADDRESS', 'LAST SEEN', 'EXPIRES'];
  context.output.result(answer, table(headings, answer.sessions.map(row)));
}

function row(session: SessionResponse): string[] {
  const { session_id, surface, label, user_agent, ip_address, last_seen_at, expires_at, current } = session;
  const what = label ?? user_agent ?? '-';
  return [
    current ? 'current' : '',
    session_id,
    surface,
    what,
    ip_address ?? '-',
    moment(last_seen_at),
    moment(expires_at),
  ];
}

async function revoke(context: Context, id: string): Promise<void> {
  const session = await context.session();
  const answer = await call(
    session.POST('/v1/auth/sessions/{session_id}/revoke', { params: { path: { session_id: id } } }),
  );
  context.output.result(answer, `The session ${printable(answer.session_id)} was ended.`);
}

async function revokeOthers(context: Context): Promise<void> {
  const session = await context.session();
  const answer = await call(session.POST('/v1/auth/sessions/revoke-others'));
  context.output.result(
    answer,
    answer.revoked === 1 ? '1 other session was ended.' : `${answer.revoked} other sessions were ended.`,
  );
}
