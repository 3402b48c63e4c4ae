import { call } from '@platform/client';
import type { Command } from 'commander';
import type { Context, ContextOf } from '../context.js';
import { ExitCode } from '../exit-codes.js';
import { CommandError } from '../failures.js';
import { costsOf } from '../text/costs.js';
import { isAgreed } from '../text/is-agreed.js';
import type { MarketplaceListing, UninstalledApp } from '../older-platforms.js';
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
    .argument('<app>', 'the id of an app in the marketplace')
    .option('--yes', 'agree to what it asks for without being asked')
    .description('install an app from the marketplace. Takes PLATFORM_API_KEY too')
    .addHelpText('after', '\nExample:\n  $ platform install notes && platform call notes list_notes')
    .action((appId: string, options: InstallOptions, command: Command) => install(contextOf(command), appId, options));
}

export function addUninstall(program: Command, contextOf: ContextOf): void {
  program
    .command('uninstall')
    .argument('<app>', 'as shown by `platform installs`')
    .option('--purge', 'delete what it keeps for you at once, and not after 30 days')
    .description('remove an app that you have; it does nothing for you any more. Takes PLATFORM_API_KEY too')
    .action((appId: string, options: UninstallOptions, command: Command) => uninstall(contextOf(command), appId, options));
}

async function install(context: Context, appId: string, { yes }: InstallOptions): Promise<void> {
  const { keyOrSession: client, output } = context;
  const params = { path: { app_id: appId } };
  const app: MarketplaceListing = await call(client.GET('/v1/marketplace/apps/{app_id}', { params }));
  const { name, version, author, requested_scopes: scopes, price_version } = app;
  const costs = costsOf({ functions: app.tools, monthlyPrice: app.monthly_price });
  const named = `${printable(appId)} ${printable(version)}`;
  output.note(`${named} is "${printable(name)}" by ${printable(author)}. ${asksFor(scopes)}`);
  if (costs) output.note(`It costs:\n${costs}`);
  if (!yes && (scopes.length || costs)) await assertAgreed(context, scopes.length > 0);
  // With what was shown: where the app serves, asks for or costs something else by now, nothing is installed.
  const answer = await call(
    client.POST('/v1/marketplace/apps/{app_id}/install', {
      params,
      body: { version, scopes, ...(price_version !== undefined && { price_version }) },
    }),
  );
  const missing = answer.missing_scopes.map(printable).join(', ');
  output.result(
    answer,
    missing ? `${named} is installed without ${missing}: an API key grants no more than it holds.` : `${named} is installed.`,
  );
}

const asksFor = (scopes: readonly string[]): string =>
  scopes.length ? `It asks for:\n${scopes.map((scope) => `  ${printable(scope)}`).join('\n')}` : 'It asks for nothing.';

async function assertAgreed(context: Context, acts: boolean): Promise<void> {
  const whenever = !acts ? '' : 'It acts for you with that when you are not there, too: by schedules, webhooks and events.\n';
  const agreed = await isAgreed(context, `${whenever}Agree? [y/N] `);
  if (agreed === null) throw new CommandError('Add --yes to agree.', ExitCode.usage);
  if (!agreed) throw new CommandError('Nothing was installed.');
}

async function uninstall({ keyOrSession: client, output }: Context, appId: string, { purge }: UninstallOptions): Promise<void> {
  // Platforms of before know no purge, and refuse what they do not know.
  const params = { path: { app_id: appId }, ...(purge && { query: { purge } }) };
  const answer: UninstalledApp = await call(client.DELETE('/v1/marketplace/apps/{app_id}/install', { params }));
  output.result(answer, `You no longer have ${printable(answer.app_id)}.`);
  if (purge) output.note('What it keeps for you is being deleted.');
  else if (answer.kept_until) {
    output.note(`What it keeps for you is deleted on ${printable(answer.kept_until.slice(0, 10))}, unless you install it again before.`);
  }
}
