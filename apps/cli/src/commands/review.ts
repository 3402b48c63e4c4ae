import {
  ApiError,
  call,
  type ApproveAppRequest,
  type PendingAppResponse,
  type PendingContentResponse,
  type PlatformClient,
  type RejectAppRequest,
} from '@platform/client';
import type { Command } from 'commander';
import type { AppDocument } from '@platform/app-document';
import type { Context, ContextOf } from '../context.js';
import { ExitCode } from '../exit-codes.js';
import { CommandError } from '../failures.js';
import { collected, pagesOf } from '../pages.js';
import { credits } from '../text/credits.js';
import { newLines } from '../text/new-in-version.js';
import { printable } from '../text/printable.js';
import { table } from '../text/table.js';
import { moment } from '../text/times.js';

const VERSION = 'version that you reviewed, as shown there';
const SHA256_OF =
  'SHA-256 of the content that you reviewed, as shown there; required if other content of the app was in review before';

export function addReview(program: Command, contextOf: ContextOf): void {
  const review = program.command('review').description('review submitted apps, as an administrator of the platform');
  review
    .command('list', { isDefault: true })
    .description('list the waiting apps, longest waiting first (the default)')
    .action((_options: object, command: Command) => list(contextOf(command)));
  review
    .command('show')
    .argument('<app>', 'id, see `platform review`')
    .argument('[version]', 'the waiting version; the only one by default')
    .description(
      'show the content that waits for review: functions, webhooks, schedules, events, hosts and code; everything with --json',
    )
    .addHelpText(
      'after',
      "\nExample:\n  $ platform review show notes 0.1.0 --json | jq -r '.document.app.modules[].source'",
    )
    .action((appId: string, version: string | undefined, _options: object, command: Command) =>
      show(contextOf(command), appId, version),
    );
  review
    .command('approve')
    .argument('<app>', 'id, see `platform review`')
    .argument('<version>', VERSION)
    .argument('[sha256]', SHA256_OF)
    .description('approve an app or its waiting version for the marketplace')
    .action((appId: string, version: string, sha256: string | undefined, _options: object, command: Command) =>
      approve(contextOf(command), appId, { version, sha256 }),
    );
  review
    .command('reject')
    .argument('<app>', 'id, see `platform review`')
    .argument('<version>', VERSION)
    .argument('[sha256]', SHA256_OF)
    .requiredOption('--reason <text>', 'reason that the developer receives')
    .description('reject an app, which becomes a draft again, or its waiting version')
    .addHelpText('after', '\nExample:\n  $ platform review reject notes 0.1.0 --reason "The description is empty."')
    .action(
      (appId: string, version: string, sha256: string | undefined, { reason }: { reason: string }, command: Command) =>
        reject(contextOf(command), appId, { version, sha256, reason }),
    );
}

async function list(context: Context): Promise<void> {
  const { output } = context;
  const session = await context.session();
  const pages = pagesOf((query) => call(session.GET('/v1/admin/apps/pending', { params: { query } })));
  const apps = await collected(pages);
  const rows = apps.map(({ app_id, name, submitted_version, sha256, developer_id, submitted_at }) => {
    return [app_id, name, submitted_version, developer_id, moment(submitted_at), sha256];
  });
  const lines = [
    rows.length
      ? table(['APP', 'NAME', 'VERSION', 'DEVELOPER', 'SUBMITTED', 'SHA256'], rows)
      : 'No app is waiting for review.',
  ];
  for (const app of apps) {
    const { app_id, submitted_version, served_version, waits_for, hosts, capabilities } = app;
    const version = `${printable(app_id)} ${printable(submitted_version)}`;
    const costs = costLine(version, app);
    if (!waits_for) {
      lines.push('', `${version} ${requestsOf(hosts)}`, `${version} ${usesOf(capabilities)}`, costs);
      continue;
    }
    lines.push('', costs, `New in ${version} (currently running: ${printable(served_version ?? '')}):`);
    lines.push(...newLines(waits_for).map((line) => `  ${line}`));
  }
  output.result(apps, lines.join('\n'));
}

function requestsOf(hosts: readonly string[] | null): string {
  if (hosts?.includes('*')) return 'can send requests to any host.';
  return hosts?.length ? `can send requests to: ${hosts.map(printable).join(', ')}` : 'cannot send requests.';
}

function usesOf(capabilities: readonly string[] | null): string {
  return capabilities?.length
    ? `can use these parts of its context (ctx): ${capabilities.map(printable).join(', ')}`
    : 'declares no capabilities of its context (ctx).';
}

/** Prices of an app and the developer's share, as one line that begins with `subject`. */
function costLine(
  subject: string,
  {
    pricing_model,
    pricing_config,
    revenue_split_dev,
  }: Pick<PendingAppResponse, 'pricing_model' | 'pricing_config' | 'revenue_split_dev'>,
): string {
  if (pricing_model === 'free') return `${subject} is free of charge.`;
  const share = `the developer gets ${revenue_split_dev} %`;
  const { tool_prices, monthly_price } = pricing_config ?? {};
  if (pricing_model === 'subscription')
    return `${subject} costs ${typeof monthly_price === 'number' ? credits(monthly_price) : '? credits'} per month; ${share}.`;
  const prices = Object.entries((tool_prices ?? {}) as Record<string, unknown>).map(([name, price]) =>
    printable(`${name} ${String(price)}`),
  );
  return `${subject} is paid per call, in credits: ${prices.length ? prices.join(', ') : 'no prices yet'}; ${share}.`;
}

async function show(context: Context, appId: string, version?: string): Promise<void> {
  const session = await context.session();
  const params = { path: { app_id: appId }, query: { version } };
  const found = await call(session.GET('/v1/admin/apps/{app_id}/pending', { params }));
  context.output.result(found, contentLines(found).join('\n'));
}

function contentLines(found: PendingContentResponse): string[] {
  const {
    app_id,
    name,
    developer_id,
    submitted_at,
    submitted_version,
    served_version,
    waits_for,
    sha256,
    hosts,
    capabilities,
  } = found;
  const version = `${printable(app_id)} ${printable(submitted_version)}`;
  const lines = [
    `${version} is "${printable(name)}" by ${printable(developer_id)}, waiting since ${moment(submitted_at)}.`,
  ];
  if (waits_for)
    lines.push(
      `New in this version (currently running: ${printable(served_version ?? '')}):`,
      ...newLines(waits_for).map((line) => `  ${line}`),
    );
  lines.push(`It ${requestsOf(hosts)}`);
  lines.push(`It ${usesOf(capabilities)}`, costLine('It', found));
  // The platform has validated a document. Null for an app without one; its manifest has the
  // functions.
  const app = (found.document as AppDocument | null)?.app;
  const tools = (found.manifest?.['tools'] ?? []) as { name: string }[];
  const titled: [string, string[]][] = [
    ['Asks users for', found.requested_scopes],
    ['Functions', app ? app.functions.map(functionLine) : tools.map((tool) => tool.name)],
    ['Webhooks', app?.webhooks.map(({ method, path }) => `${[method].flat().join('|')} ${path}`) ?? []],
    ['Schedules', app?.schedules.map(({ name: of, cron }) => `${of} (${cron})`) ?? []],
    ['Handles', app?.events.subscribes.map(({ type }) => type) ?? []],
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
    `Show all steps and code: \`platform review show ${version} --json\``,
    `Decide: \`platform review approve ${named}\`, or \`platform review reject ${named} --reason <text>\``,
  ];
}

function functionLine({ name, action_type, required_scopes }: AppDocument['app']['functions'][number]): string {
  return `${name} (${[action_type, ...required_scopes].join(', ')})`;
}

/**
 * Approves an app or its waiting version. If the developer has replaced the reviewed content, the
 * platform refuses, and the error names the commands to review it again.
 */
async function approve(context: Context, appId: string, body: ApproveAppRequest): Promise<void> {
  const session = await context.session();
  const decision = session.POST('/v1/admin/apps/{app_id}/approve', { params: { path: { app_id: appId } }, body });
  const answer = await call(decision).catch((error: unknown) => tellWithCommands(session, appId, 'approve', error));
  context.output.result(answer, `${printable(answer.app_id)} ${printable(answer.version)} is now in the marketplace.`);
}

async function reject(context: Context, appId: string, body: RejectAppRequest): Promise<void> {
  const session = await context.session();
  const decision = session.POST('/v1/admin/apps/{app_id}/reject', { params: { path: { app_id: appId } }, body });
  const answer = await call(decision).catch((error: unknown) => tellWithCommands(session, appId, 'reject', error));
  const outcome = answer.status === 'active' ? 'stays in the marketplace unchanged' : 'is a draft again';
  context.output.result(answer, `${printable(answer.app_id)} ${outcome}. The developer receives the reason.`);
}

/**
 * Throws the error of a refused decision again. If it concerns other content than the present one,
 * it adds the commands that show the present content and decide about it.
 *
 * @throws CommandError for `app.review_changed` and `app.review_content_missing`; the error itself
 * for other codes, or if the present content cannot be read.
 */
async function tellWithCommands(
  session: PlatformClient,
  appId: string,
  decision: 'approve' | 'reject',
  error: unknown,
): Promise<never> {
  if (!(error instanceof ApiError) || !/^app\.review_(changed|content_missing)$/.test(error.code)) throw error;
  const params = { path: { app_id: appId } };
  const now = await call(session.GET('/v1/admin/apps/{app_id}/pending', { params })).catch(() => null);
  if (!now) throw error;
  const { message, code, status, requestId } = error;
  const { submitted_version: version, sha256 } = now;
  const it = printable(`${appId} ${version}`);
  const lines = [
    printable(message),
    `  Review it:    platform review show ${it}`,
    `  Then decide:  platform review ${decision} ${it} ${printable(sha256)}${decision === 'reject' ? ' --reason <text>' : ''}`,
  ];
  throw new CommandError(lines.join('\n'), ExitCode.failure, {
    code,
    details: { status, request_id: requestId, version, sha256 },
  });
}
