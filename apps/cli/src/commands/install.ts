import { call } from '@platform/client';
import type { Command } from 'commander';
import type { Context, ContextOf } from '../context.js';
import { ExitCode } from '../exit-codes.js';
import { CommandError } from '../failures.js';
import { costsOf } from '../text/costs.js';
import { isAgreed } from '../text/is-agreed.js';
import { printable } from '../text/printable.js';

interface UninstallOptions {
  purge?: boolean;
}

interface InstallOptions {
  yes?: boolean;
}

export function addInstall(program: Command, contextOf: ContextOf): void {
  program
    .command('install')
    .argument('<app>', 'id of an app in the marketplace')
    .option('--yes', 'accept its permissions and prices without confirmation')
    .description('install an app from the marketplace. Accepts PLATFORM_API_KEY')
    .addHelpText('after', '\nExample:\n  $ platform install notes && platform call notes list_notes')
    .action((appId: string, options: InstallOptions, command: Command) => install(contextOf(command), appId, options));
}

export function addUninstall(program: Command, contextOf: ContextOf): void {
  program
    .command('uninstall')
    .argument('<app>', 'id, see `platform installs`')
    .option('--purge', 'delete its data about you now instead of after 30 days')
    .description('uninstall an app, so that it can no longer act for you. Accepts PLATFORM_API_KEY')
    .action((appId: string, options: UninstallOptions, command: Command) =>
      uninstall(contextOf(command), appId, options),
    );
}

async function install(context: Context, appId: string, { yes }: InstallOptions): Promise<void> {
  const { keyOrSession: client, output } = context;
  const params = { path: { app_id: appId } };
  const app = await call(client.GET('/v1/marketplace/apps/{app_id}', { params }));
  const { name, version, author, requested_scopes: scopes, price_version } = app;
  const costs = costsOf({ functions: app.tools, monthlyPrice: app.monthly_price });
  const named = `${printable(appId)} ${printable(version)}`;
  output.note(`${named} is "${printable(name)}" by ${printable(author)}. ${asksFor(scopes)}`);
  if (costs) output.note(`It costs:\n${costs}`);
  if (!yes && (scopes.length || costs)) await assertAgreed(context, scopes.length > 0);
  // Sends the version, scopes and price that were shown. If the app has changed since, the platform
  // installs nothing.
  const answer = await call(
    client.POST('/v1/marketplace/apps/{app_id}/install', {
      params,
      body: { version, scopes, price_version },
    }),
  );
  const missing = answer.missing_scopes.map(printable).join(', ');
  output.result(
    answer,
    missing
      ? `${named} was installed without ${missing}: an API key can grant only scopes that it has.`
      : `${named} was installed.`,
  );
}

const asksFor = (scopes: readonly string[]): string =>
  scopes.length
    ? `It requests these permissions:\n${scopes.map((scope) => `  ${printable(scope)}`).join('\n')}`
    : 'It requests no permissions.';

async function assertAgreed(context: Context, acts: boolean): Promise<void> {
  const whenever = !acts
    ? ''
    : 'The app also uses these permissions in your absence, for schedules, webhooks and events.\n';
  const agreed = await isAgreed(context, `${whenever}Accept? [y/N] `);
  if (agreed === null) throw new CommandError('Cannot ask for confirmation here. Add --yes to accept.', ExitCode.usage);
  if (!agreed) throw new CommandError('Nothing was installed.');
}

async function uninstall(
  { keyOrSession: client, output }: Context,
  appId: string,
  { purge }: UninstallOptions,
): Promise<void> {
  const params = { path: { app_id: appId }, query: { purge } };
  const answer = await call(client.DELETE('/v1/marketplace/apps/{app_id}/install', { params }));
  output.result(answer, `${printable(answer.app_id)} was uninstalled.`);
  if (purge) output.note('Its data about you is being deleted.');
  else if (answer.kept_until) {
    output.note(
      `Its data about you will be deleted on ${printable(answer.kept_until.slice(0, 10))}, unless you install it again.`,
    );
  }
}
