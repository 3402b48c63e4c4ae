import {
  ApiError,
  call,
  type ApproveAppRequest,
  type PendingContentResponse,
  type PlatformClient,
  type RejectAppRequest,
} from '@platform/client';
import type { Command } from 'commander';
import type { AppDocument } from '@platform/app-document';
import type { Context, ContextOf } from '../context.js';
import { ExitCode } from '../exit-codes.js';
import { CommandError } from '../failures.js';
import type { PendingApp } from '../older-platforms.js';
import { collected, pagesOf } from '../pages.js';
import { credits } from '../text/credits.js';
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
    .command('show')
    .argument('<app>', 'as shown by `platform review`')
    .argument('[version]', 'the version that waits; whichever that is unless told')
    .description('show what waits of an app: functions, webhooks, schedules, events, hosts and code; with --json all of it')
    .addHelpText('after', "\nExample:\n  $ platform review show notes 0.1.0 --json | jq -r '.document.app.modules[].source'")
    .action((appId: string, version: string | undefined, _options: object, command: Command) => show(contextOf(command), appId, version));
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

async function list(context: Context): Promise<void> {
  const { output } = context;
  const session = await context.session();
  const pages = pagesOf((query) => call(session.GET('/v1/admin/apps/pending', { params: { query } })));
  const apps: PendingApp[] = await collected(pages);
  const rows = apps.map(({ app_id, name, submitted_version, sha256 = '', developer_id, submitted_at }) => {
    return [app_id, name, submitted_version, developer_id, moment(submitted_at), sha256];
  });
  const lines = [rows.length ? table(['APP', 'NAME', 'VERSION', 'DEVELOPER', 'SUBMITTED', 'SHA256'], rows) : 'No app waits for a review.'];
  for (const app of apps) {
    const { app_id, submitted_version, served_version, waits_for, hosts, capabilities } = app;
    const version = `${printable(app_id)} ${printable(submitted_version)}`;
    // A platform of before tells none.
    if (!waits_for && hosts !== undefined) lines.push('', `${version} ${requestsOf(hosts)}`);
    if (!waits_for && capabilities !== undefined) lines.push(`${version} ${usesOf(capabilities)}`);
    const costs = costLines(version, app);
    if (!waits_for) {
      lines.push(...costs);
      continue;
    }
    lines.push('', ...costs, `New in ${version}, while ${printable(served_version ?? '')} runs:`);
    lines.push(...newLines(waits_for).map((line) => `  ${line}`));
  }
  output.result(apps, lines.join('\n'));
}

function requestsOf(hosts: readonly string[] | null): string {
  if (!hosts || hosts.includes('*')) return 'may send requests to any host.';
  return hosts.length ? `may send requests to: ${hosts.map(printable).join(', ')}` : 'may send no requests.';
}

function usesOf(capabilities: readonly string[] | null): string {
  if (!capabilities) return 'may use all of its context (ctx).';
  return capabilities.length
    ? `may use of its context (ctx): ${capabilities.map(printable).join(', ')}`
    : 'may use nothing of its context (ctx) that has to be asked for.';
}

/** What users will pay for it: one line, and none of a platform of before, which does not tell. */
function costLines(
  subject: string,
  { pricing_model, pricing_config, revenue_split_dev }: Pick<PendingApp, 'pricing_model' | 'pricing_config' | 'revenue_split_dev'>,
): string[] {
  if (pricing_model === undefined) return [];
  if (pricing_model === 'free') return [`${subject} costs nothing.`];
  const share = `its developer gets ${revenue_split_dev ?? '?'} %`;
  const { tool_prices, monthly_price } = pricing_config ?? {};
  if (pricing_model === 'subscription')
    return [`${subject} costs ${typeof monthly_price === 'number' ? credits(monthly_price) : '? credits'} a month; ${share}.`];
  const prices = Object.entries((tool_prices ?? {}) as Record<string, unknown>).map(([name, price]) =>
    printable(`${name} ${String(price)}`),
  );
  return [`${subject} costs credits by the call: ${prices.length ? prices.join(', ') : 'none yet'}; ${share}.`];
}

async function show(context: Context, appId: string, version?: string): Promise<void> {
  const session = await context.session();
  const params = { path: { app_id: appId }, query: { version } };
  const found = await call(session.GET('/v1/admin/apps/{app_id}/pending', { params }));
  context.output.result(found, contentLines(found).join('\n'));
}

function contentLines(found: PendingContentResponse): string[] {
  const { app_id, name, developer_id, submitted_at, submitted_version, served_version, waits_for, sha256, hosts, capabilities } = found;
  const version = `${printable(app_id)} ${printable(submitted_version)}`;
  const lines = [`${version} is "${printable(name)}" by ${printable(developer_id)}, and waits since ${moment(submitted_at)}.`];
  if (waits_for) lines.push(`New in it, while ${printable(served_version ?? '')} runs:`, ...newLines(waits_for).map((line) => `  ${line}`));
  lines.push(`It ${requestsOf(hosts)}`);
  lines.push(`It ${usesOf(capabilities)}`, ...costLines('It', found));
  // Of code it has passed the checks of a document.
  const app = (found.document as AppDocument | null)?.app;
  const tools = (found.manifest?.['tools'] ?? []) as { name: string }[];
  const titled: [string, string[]][] = [
    ['Asks users for', found.requested_scopes],
    ['Functions', app ? app.functions.map(functionLine) : tools.map((tool) => tool.name)],
    ['Webhooks', app?.webhooks.map(({ method, path }) => `${[method].flat().join('|')} ${path}`) ?? []],
    ['Schedules', app?.schedules.map(({ name: of, cron }) => `${of} (${cron})`) ?? []],
    ['Hears', app?.events.subscribes.map(({ type }) => type) ?? []],
    ['Publishes', app?.events.emits.map(({ type }) => type) ?? []],
    ['Panels', app?.ui.panels.map(({ panel_id: id, slot }) => `${id} (${slot})`) ?? []],
    ['Secrets', app?.secrets.map(({ name: of, scope }) => `${of} (${scope})`) ?? []],
    ['Code', found.modules.map(({ name: of, bytes, sha256: hash }) => `${of}, ${bytes} bytes, sha256 ${hash}`)],
  ];
  for (const [title, items] of titled) {
    items.forEach((item, at) => lines.push(`  ${(at ? '' : title).padEnd(14)} ${printable(item)}`));
  }
  const named = `${version} ${sha256}`;
  return [
    ...lines,
    '',
    `With its steps and its code: \`platform review show ${version} --json\``,
    `Decide: \`platform review approve ${named}\`, or \`platform review reject ${named} --reason <text>\``,
  ];
}

function functionLine({ name, action_type, required_scopes }: AppDocument['app']['functions'][number]): string {
  return `${name} (${[action_type, ...required_scopes].join(', ')})`;
}

/** Its developer may have put something else into its place: the platform refuses to decide about that. */
async function approve(context: Context, appId: string, body: ApproveAppRequest): Promise<void> {
  const session = await context.session();
  const decision = session.POST('/v1/admin/apps/{app_id}/approve', { params: { path: { app_id: appId } }, body });
  const answer = await call(decision).catch((error: unknown) => tellWithCommands(session, appId, 'approve', error));
  context.output.result(answer, `${printable(answer.app_id)} ${printable(answer.version)} is in the marketplace.`);
}

async function reject(context: Context, appId: string, body: RejectAppRequest): Promise<void> {
  const session = await context.session();
  const decision = session.POST('/v1/admin/apps/{app_id}/reject', { params: { path: { app_id: appId } }, body });
  const answer = await call(decision).catch((error: unknown) => tellWithCommands(session, appId, 'reject', error));
  const outcome = answer.status === 'active' ? 'stays in the marketplace as it is' : 'is a draft again';
  context.output.result(answer, `${printable(answer.app_id)} ${outcome}. Its developer reads why.`);
}

/** Says how to look at what is there now, and what decides about that. */
async function tellWithCommands(session: PlatformClient, appId: string, decision: 'approve' | 'reject', error: unknown): Promise<never> {
  if (!(error instanceof ApiError) || !/^app\.review_(changed|content_missing)$/.test(error.code)) throw error;
  const params = { path: { app_id: appId } };
  // A platform of before does not show it.
  const now = await call(session.GET('/v1/admin/apps/{app_id}/pending', { params })).catch(() => null);
  if (!now) throw error;
  const { message, code, status, requestId } = error;
  const { submitted_version: version, sha256 } = now;
  const it = printable(`${appId} ${version}`);
  const lines = [
    printable(message),
    `  Look at it:   platform review show ${it}`,
    `  And decide:   platform review ${decision} ${it} ${printable(sha256)}${decision === 'reject' ? ' --reason <text>' : ''}`,
  ];
  throw new CommandError(lines.join('\n'), ExitCode.failure, { code, details: { status, request_id: requestId, version, sha256 } });
}
