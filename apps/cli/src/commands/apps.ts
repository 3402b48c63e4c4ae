import { ApiError, call, type AppResponse, type ListedAppResponse, type PlatformClient } from '@platform/client';
import type { Command } from 'commander';
import type { Context, ContextOf } from '../context.js';
import { addCreateAndEdit } from '../apps/create-and-edit.js';
import { addRollback } from '../apps/rollback.js';
import { addOpenApp } from './open.js';
import { ExitCode } from '../exit-codes.js';
import { CommandError } from '../failures.js';
import { collected, pagesOf } from '../pages.js';
import { isAgreed } from '../text/is-agreed.js';
import { newLines } from '../text/new-in-version.js';
import { printable, printableLines } from '../text/printable.js';
import { table } from '../text/table.js';
import { moment } from '../text/times.js';
import { webhookLines } from '../text/webhook-lines.js';

interface AgreedOptions {
  yes?: boolean;
}

export function addApps(program: Command, contextOf: ContextOf): void {
  const apps = program.command('apps').description('manage the apps that you develop. Accepts PLATFORM_API_KEY');
  apps
    .command('list', { isDefault: true })
    .description('list your apps (the default)')
    .addHelpText('after', '\nExample:\n  $ platform apps --json | jq -r \'.[] | select(.status == "draft") | .app_id\'')
    .action((_options: object, command: Command) => list(contextOf(command)));
  apps
    .command('delete')
    .argument('<app>', 'id of the app, see `platform apps`')
    .option('--yes', 'delete without confirmation')
    .description('delete a draft or suspended app, with its versions and installs')
    .action((appId: string, options: AgreedOptions, command: Command) => remove(contextOf(command), appId, options));
  apps
    .command('suspend')
    .argument('<app>', 'id of the app, see `platform apps`')
    .option('--yes', 'suspend without confirmation')
    .description('remove an app from the marketplace, or withdraw it from review')
    .action((appId: string, options: AgreedOptions, command: Command) => suspend(contextOf(command), appId, options));
  addCreateAndEdit(apps, contextOf);
  addRollback(apps, contextOf);
  addOpenApp(apps, contextOf);
}

async function list({ keyOrSession: client, output }: Context): Promise<void> {
  const apps = await ownApps(client);
  const installs = await installCounts(client, apps);
  const rows = apps.map(({ app_id, name, status, version, updated_at }) => {
    return [app_id, name, status, version ?? '-', String(installs.get(app_id) ?? '-'), moment(updated_at)];
  });
  const lines = [rows.length ? table(['APP', 'NAME', 'STATUS', 'VERSION', 'INSTALLS', 'UPDATED'], rows) : NONE];
  const called = apps.flatMap(({ app_id, webhooks }) => webhookLines(webhooks).map((line) => [app_id, line]));
  if (called.length) lines.push('', table(['APP', 'WEBHOOK'], called));
  for (const { app_id, status, reject_reason, waiting } of apps) {
    if (status === 'draft' && reject_reason !== null)
      lines.push(`${app_id} was rejected: ${printableLines(reject_reason)}`);
    if (status === 'active' && reject_reason !== null)
      lines.push(`A version of ${app_id} was rejected: ${printableLines(reject_reason)}`);
    if (waiting)
      lines.push(
        `${app_id} ${printable(waiting.version)} waits for review. New in this version: ${newLines(waiting.waits_for).join('; ')}`,
      );
  }
  output.result(
    apps.map((app) => ({ ...app, install_count: installs.get(app.app_id) ?? null })),
    lines.join('\n'),
  );
}

async function remove(context: Context, appId: string, { yes }: AgreedOptions): Promise<void> {
  const { keyOrSession: client, output } = context;
  if (!yes) {
    const agreed = await isAgreed(
      context,
      `Delete ${printable(appId)} with its versions and installs? This cannot be undone. [y/N] `,
    );
    if (agreed === null)
      throw new CommandError('Cannot ask for confirmation here. Add --yes to delete the app.', ExitCode.usage);
    if (!agreed) throw new CommandError('Nothing was deleted.');
  }
  const params = { path: { app_id: appId } };
  const answer = await call(
    client.DELETE('/v1/developer/apps/{app_id}', { params, body: { confirm_name: appId } }),
  ).catch((error: unknown) => {
    throw error instanceof ApiError && error.code === 'app.wrong_status' ? notSuspended(error, appId) : error;
  });
  output.result(answer, `${printable(appId)} was deleted.`);
}

function notSuspended({ message, code, status, requestId }: ApiError, appId: string): CommandError {
  const first = `\`platform apps suspend ${printable(appId)}\` must run first.`;
  return new CommandError(`${printable(message)} ${first}`, ExitCode.failure, {
    code,
    details: { status, request_id: requestId },
  });
}

async function suspend(context: Context, appId: string, { yes }: AgreedOptions): Promise<void> {
  const { keyOrSession: client, output } = context;
  if (!yes) {
    const agreed = await isAgreed(
      context,
      `Remove ${printable(appId)} from the marketplace or from review? It returns only after a new review. [y/N] `,
    );
    if (agreed === null)
      throw new CommandError('Cannot ask for confirmation here. Add --yes to suspend the app.', ExitCode.usage);
    if (!agreed) throw new CommandError('Nothing was changed.');
  }
  const answer = await call(
    client.POST('/v1/developer/apps/{app_id}/suspend', { params: { path: { app_id: appId } } }),
  );
  output.result(
    answer,
    `${printable(appId)} is suspended. Request a new review with \`platform submit ${printable(appId)}\`.`,
  );
}

const NONE = 'You have no apps. Create one with `platform init`, and deploy it with `platform deploy`.';

const ownApps = (client: PlatformClient): Promise<ListedAppResponse[]> =>
  collected(pagesOf((query) => call(client.GET('/v1/developer/apps', { params: { query } }))));

/**
 * Returns the number of installs of the developer's published apps, by app id; of at most 100 apps.
 * Empty if no app is published, or the marketplace does not show the developer (404).
 */
async function installCounts(client: PlatformClient, apps: readonly AppResponse[]): Promise<Map<string, number>> {
  const listed = apps.find(({ status }) => status === 'active');
  if (!listed) return new Map();
  try {
    const params = { path: { developer_id: listed.developer_id } };
    const developer = await call(client.GET('/v1/marketplace/developer/{developer_id}', { params }));
    return new Map(developer.apps.map(({ app_id, install_count }) => [app_id, install_count]));
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return new Map();
    throw error;
  }
}
