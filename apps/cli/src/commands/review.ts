import { call, type ApproveAppRequest, type RejectAppRequest } from '@platform/client';
import type { Command } from 'commander';
import type { Context, ContextOf } from '../context.js';
import type { PendingApp } from '../older-platforms.js';
import { collected, pagesOf } from '../pages.js';
import { newLines } from '../text/new-in-version.js';
import { printable } from '../text/printable.js';
import { table } from '../text/table.js';
import { moment } from '../text/times.js';

const VERSION = 'the version that you have looked at, as shown there';
const SHA256_OF = 'of what you have looked at, as shown there; needed unless nothing else of the app was in review before';

export function addReview(program: Command, contextOf: ContextOf): void {
  const review = program.command('review').description('decide about apps that were submitted, as an administrator of the platform');
  review
    .command('list', { isDefault: true })
    .description('list the apps that wait, those that wait longest first (the default)')
    .action((_options: object, command: Command) => list(contextOf(command)));
  review
    .command('approve')
    .argument('<app>', 'as shown by `platform review`')
    .argument('<version>', VERSION)
    .argument('[sha256]', SHA256_OF)
    .description('put an app into the marketplace, or have the version run that waits')
    .action((appId: string, version: string, sha256: string | undefined, _options: object, command: Command) =>
      approve(contextOf(command), appId, { version, sha256 }),
    );
  review
    .command('reject')
    .argument('<app>', 'as shown by `platform review`')
    .argument('<version>', VERSION)
    .argument('[sha256]', SHA256_OF)
    .requiredOption('--reason <text>', 'what its developer is told')
    .description('make an app a draft again, or refuse the version that waits, and tell its developer why')
    .addHelpText('after', '\nExample:\n  $ platform review reject notes 0.1.0 --reason "The description says nothing."')
    .action((appId: string, version: string, sha256: string | undefined, { reason }: { reason: string }, command: Command) =>
      reject(contextOf(command), appId, { version, sha256, reason }),
    );
}

async function list({ session, output }: Context): Promise<void> {
  const pages = pagesOf((query) => call(session.GET('/v1/admin/apps/pending', { params: { query } })));
  const apps: PendingApp[] = await collected(pages);
  const rows = apps.map(({ app_id, name, submitted_version, sha256 = '', developer_id, submitted_at }) => {
    return [app_id, name, submitted_version, developer_id, moment(submitted_at), sha256];
  });
  const lines = [rows.length ? table(['APP', 'NAME', 'VERSION', 'DEVELOPER', 'SUBMITTED', 'SHA256'], rows) : 'No app waits for a review.'];
  for (const { app_id, submitted_version, served_version, waits_for, hosts, members } of apps) {
    const version = `${printable(app_id)} ${printable(submitted_version)}`;
    // A platform of before tells none.
    if (!waits_for && hosts !== undefined) lines.push('', `${version} ${requestsOf(hosts)}`);
    if (!waits_for && members !== undefined) lines.push(`${version} ${usesOf(members)}`);
    if (!waits_for) continue;
    lines.push('', `New in ${version}, while ${printable(served_version ?? '')} runs:`);
    lines.push(...newLines(waits_for).map((line) => `  ${line}`));
  }
  output.result(apps, lines.join('\n'));
}

function requestsOf(hosts: readonly string[] | null): string {
  if (!hosts || hosts.includes('*')) return 'may send requests to any host.';
  return hosts.length ? `may send requests to: ${hosts.map(printable).join(', ')}` : 'may send no requests.';
}

function usesOf(members: readonly string[] | null): string {
  if (!members) return 'may use all of its context (ctx).';
  return members.length
    ? `may use of its context (ctx): ${members.map(printable).join(', ')}`
    : 'may use nothing of its context (ctx) that has to be asked for.';
}

/** Its developer may have put something else into its place: the platform refuses to decide about that. */
async function approve({ session, output }: Context, appId: string, body: ApproveAppRequest): Promise<void> {
  const answer = await call(session.POST('/v1/admin/apps/{app_id}/approve', { params: { path: { app_id: appId } }, body }));
  output.result(answer, `${printable(answer.app_id)} ${printable(answer.version)} is in the marketplace.`);
}

async function reject({ session, output }: Context, appId: string, body: RejectAppRequest): Promise<void> {
  const answer = await call(session.POST('/v1/admin/apps/{app_id}/reject', { params: { path: { app_id: appId } }, body }));
  const outcome = answer.status === 'active' ? 'stays in the marketplace as it is' : 'is a draft again';
  output.result(answer, `${printable(answer.app_id)} ${outcome}. Its developer reads why.`);
}
