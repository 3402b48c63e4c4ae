import { call, type PlatformClient } from '@platform/client';
import type { Command } from 'commander';
import type { Context, ContextOf } from '../context.js';
import { ExitCode } from '../exit-codes.js';
import { CommandError } from '../failures.js';
import type { MarketplaceListing, OwnExtension } from '../older-platforms.js';
import { costsOf } from '../text/costs.js';
import { isAgreed } from '../text/is-agreed.js';
import { printable } from '../text/printable.js';
import { table } from '../text/table.js';

interface ListOptions {
  waiting?: boolean;
}

interface ConsentOptions {
  yes?: boolean;
}

export function addInstalls(program: Command, contextOf: ContextOf): void {
  const installs = program.command('installs').description('the apps that you have, and what you granted them. Takes PLATFORM_API_KEY too');
  installs
    .command('list', { isDefault: true })
    .option('--waiting', 'only those that ask for more than you granted')
    .description('list the apps that you have (the default)')
    .action((options: ListOptions, command: Command) => list(contextOf(command), options));
  installs
    .command('consent')
    .argument('<app>', 'as shown by `platform installs`')
    .option('--yes', 'agree without being asked')
    .description('grant an app what its version asks for; until then it acts for you with what you granted before')
    .addHelpText('after', '\nExample:\n  $ platform installs --waiting\n  $ platform installs consent notes')
    .action((appId: string, options: ConsentOptions, command: Command) => consent(contextOf(command), appId, options));
}

async function list({ keyOrSession: client, output }: Context, { waiting }: ListOptions): Promise<void> {
  const installs = (await installed(client)).filter((app) => !waiting || isWaiting(app));
  const rows = installs.map((app) => {
    const { app_id, name, version, granted_scopes, missing_scopes } = app;
    return [
      app_id,
      name,
      version ?? '-',
      stateOf(app),
      granted_scopes.join(' ') || '-',
      [...missing_scopes, ...(isOtherPrice(app) ? ['(another price)'] : [])].join(' ') || '-',
    ];
  });
  const lines = [
    rows.length ? table(['APP', 'NAME', 'VERSION', 'STATE', 'GRANTED', 'ASKS FOR MORE'], rows) : waiting ? NONE_WAITING : NONE,
  ];
  if (installs.some(isWaiting)) lines.push('\nAgree with `platform installs consent <app>`.');
  output.result(installs, lines.join('\n'));
}

const isWaiting = (app: OwnExtension): boolean => app.missing_scopes.length > 0 || app.is_install_key_gone || isOtherPrice(app);

/** Whether it costs something that the user has not agreed to. */
const isOtherPrice = ({ price_version, agreed_price_version }: OwnExtension): boolean =>
  typeof price_version === 'number' && price_version !== agreed_price_version;

/** In the words of the table; what a newer platform says is shown as it says it. */
const STATES: Record<string, string> = { disabled: 'off', not_agreed: 'key gone', not_published: 'not published' };

function stateOf({ blocked_by, is_disabled, is_install_key_gone }: OwnExtension): string {
  // A platform of before does not say it.
  const blocked = (blocked_by as string | null | undefined) ?? (is_disabled ? 'disabled' : is_install_key_gone ? 'not_agreed' : null);
  return blocked === null ? 'on' : printable(STATES[blocked] ?? blocked);
}

const NONE = 'You have no apps.';
const NONE_WAITING = 'No app asks for more than you granted.';

async function consent(context: Context, appId: string, { yes }: ConsentOptions): Promise<void> {
  const { keyOrSession: client, output } = context;
  const app = (await installed(client)).find(({ app_id }) => app_id === appId);
  if (!app) throw new CommandError(`You have not installed ${printable(appId)}.`);
  const { version, requested_scopes: scopes, missing_scopes: missing } = app;
  if (!isWaiting(app)) {
    output.result(app, `${printable(app.app_id)} asks for nothing that you have not granted.`);
    return;
  }
  const named = `${printable(app.app_id)} ${printable(version ?? '')}`.trim();
  if (app.is_install_key_gone)
    output.note(`The API key that installed ${printable(app.app_id)} is gone. It does nothing for you until you agree.`);
  if (missing.length) output.note(`${named} asks for more:\n${missing.map((scope) => `  ${printable(scope)}`).join('\n')}`);
  const cost = typeof app.price_version === 'number' ? await costNow(client, appId) : app;
  if ('shown' in cost) output.note(`${named} costs${isOtherPrice(app) ? ' something else than you agreed to' : ''}:\n${cost.shown}`);
  const isOfPriceAlone = !missing.length && !app.is_install_key_gone;
  if (!yes) await assertAgreed(context, isOfPriceAlone);
  // With what was shown: where the app serves, asks for or costs something else by now, nothing is granted.
  const { price_version } = cost;
  const body = { version: version ?? undefined, scopes, ...(price_version !== undefined && { price_version }) };
  const granted = await call(client.POST('/v1/marketplace/apps/{app_id}/install', { params: { path: { app_id: appId } }, body }));
  if (context.settings.json) output.result(granted, '');
  if (granted.missing_scopes.length) {
    throw new CommandError(`An API key grants no more than it holds. ${named} still waits for ${listed(granted.missing_scopes)}.`);
  }
  const lacking = context.settings.apiKey ? [] : await notHeld(client, granted.requested_scopes);
  if (lacking.length) {
    throw new CommandError(
      `You agreed, but you do not hold ${listed(lacking)} yourself, so ${named} does without. ` +
        'Your role gives you scopes of an app, or an administrator does (`PATCH /v1/users/{id}`); there is no need to agree again then.',
    );
  }
  if (!context.settings.json)
    output.result(granted, isOfPriceAlone ? `You agreed to what ${named} costs.` : `${named} has what it asks for.`);
}

/** As the marketplace shows it: functions that cannot be called are not in what one has. */
async function costNow(client: PlatformClient, appId: string): Promise<{ shown: string; price_version: number | null | undefined }> {
  const app: MarketplaceListing = await call(client.GET('/v1/marketplace/apps/{app_id}', { params: { path: { app_id: appId } } }));
  const shown = costsOf({ functions: app.tools, monthlyPrice: app.monthly_price }) ?? '  nothing';
  return { shown, price_version: app.price_version };
}

const listed = (scopes: readonly string[]): string => scopes.map(printable).join(', ');

/** What an app is granted it uses only as far as its user holds it. */
async function notHeld(client: PlatformClient, wanted: readonly string[]): Promise<string[]> {
  const { scopes } = await call(client.GET('/v1/auth/me'));
  return wanted.filter((scope) => !['*', scope, `${scope.split(':')[0] ?? ''}:*`].some((held) => scopes.includes(held)));
}

/** With the platform's own apps, which ask for nothing. */
const installed = (client: PlatformClient): Promise<OwnExtension[]> => call(client.GET('/v1/me/extensions', {}));

async function assertAgreed(context: Context, isOfPriceAlone: boolean): Promise<void> {
  const whenever = isOfPriceAlone ? '' : 'It acts for you with that when you are not there, too: by schedules, webhooks and events.\n';
  const agreed = await isAgreed(context, `${whenever}Agree? [y/N] `);
  if (agreed === null) throw new CommandError('Add --yes to agree.', ExitCode.usage);
  if (!agreed) throw new CommandError(isOfPriceAlone ? 'You have not agreed to the price. Nothing changed.' : 'Nothing was granted.');
}
