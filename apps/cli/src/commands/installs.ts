import { call, type InstalledExtension, type PlatformClient } from '@platform/client';
import type { Command } from 'commander';
import type { Context, ContextOf } from '../context.js';
import { ExitCode } from '../exit-codes.js';
import { CommandError } from '../failures.js';
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
  const installs = program
    .command('installs')
    .description('manage your installed apps and their permissions. Accepts PLATFORM_API_KEY');
  installs
    .command('list', { isDefault: true })
    .option('--waiting', 'only apps that request more than you granted')
    .description('list your installed apps (the default)')
    .action((options: ListOptions, command: Command) => list(contextOf(command), options));
  installs
    .command('consent')
    .argument('<app>', 'id, see `platform installs`')
    .option('--yes', 'accept without confirmation')
    .description('accept the permissions and price of the current version; until then the earlier ones apply')
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
      [...missing_scopes, ...(isOtherPrice(app) ? ['(new price)'] : [])].join(' ') || '-',
    ];
  });
  const lines = [
    rows.length
      ? table(['APP', 'NAME', 'VERSION', 'STATE', 'GRANTED', 'NEW REQUESTS'], rows)
      : waiting
        ? NONE_WAITING
        : NONE,
  ];
  if (installs.some(isWaiting)) lines.push('\nAccept with `platform installs consent <app>`.');
  output.result(installs, lines.join('\n'));
}

const isWaiting = (app: InstalledExtension): boolean =>
  app.missing_scopes.length > 0 || app.is_install_key_gone || isOtherPrice(app);

/** True if the app has a price and it differs from the price that the user agreed to. */
const isOtherPrice = ({ price_version, agreed_price_version }: InstalledExtension): boolean =>
  price_version !== null && price_version !== agreed_price_version;

/** States in the words of the table. Unknown states of a newer platform are shown unchanged. */
const STATES: Record<string, string> = { disabled: 'off', not_agreed: 'key gone', not_published: 'not published' };

const stateOf = ({ blocked_by: blocked }: InstalledExtension): string =>
  blocked === null ? 'on' : printable(STATES[blocked] ?? blocked);

const NONE = 'You have no installed apps.';
const NONE_WAITING = 'No app requests more than you granted.';

async function consent(context: Context, appId: string, { yes }: ConsentOptions): Promise<void> {
  const { keyOrSession: client, output } = context;
  const app = (await installed(client)).find(({ app_id }) => app_id === appId);
  if (!app)
    throw new CommandError(
      `You have not installed ${printable(appId)}. Run \`platform install ${printable(appId)}\` first.`,
    );
  const { version, requested_scopes: scopes, missing_scopes: missing } = app;
  if (!isWaiting(app)) {
    output.result(app, `${printable(app.app_id)} requests nothing beyond the permissions that you granted.`);
    return;
  }
  const named = `${printable(app.app_id)} ${printable(version ?? '')}`.trim();
  if (app.is_install_key_gone)
    output.note(
      `The API key that installed ${printable(app.app_id)} was deleted. The app cannot act for you until you accept.`,
    );
  if (missing.length)
    output.note(`${named} requests more permissions:\n${missing.map((scope) => `  ${printable(scope)}`).join('\n')}`);
  const cost = app.price_version !== null ? await costNow(client, appId) : app;
  if ('shown' in cost) output.note(`${named} costs${isOtherPrice(app) ? ' (new price)' : ''}:\n${cost.shown}`);
  const isOfPriceAlone = !missing.length && !app.is_install_key_gone;
  if (!yes) await assertAgreed(context, isOfPriceAlone);
  // Sends the version, scopes and price that were shown. If the app has changed since, the platform
  // grants nothing.
  const body = { version: version ?? undefined, scopes, price_version: cost.price_version };
  const granted = await call(
    client.POST('/v1/marketplace/apps/{app_id}/install', { params: { path: { app_id: appId } }, body }),
  );
  if (context.settings.json) output.result(granted, '');
  if (granted.missing_scopes.length) {
    throw new CommandError(
      `An API key can grant only scopes that it has. ${named} still waits for ${listed(granted.missing_scopes)}.`,
    );
  }
  const lacking = context.settings.apiKey ? [] : await notHeld(client, granted.requested_scopes);
  if (lacking.length) {
    throw new CommandError(
      `You accepted, but your account does not have ${listed(lacking)}, so ${named} cannot use it.  ` +
        'An administrator can give it to you (`PATCH /v1/users/{id}`), or your role; you need not accept again.',
    );
  }
  if (!context.settings.json)
    output.result(
      granted,
      isOfPriceAlone ? `You accepted the price of ${named}.` : `${named} now has the requested permissions.`,
    );
}

/**
 * Reads the current prices of an app from the marketplace, because the list of installed apps omits
 * functions that the user cannot call now.
 *
 * @returns `shown`: the prices as text, or `nothing`; `price_version`: their number, null if the
 * app is free.
 */
async function costNow(
  client: PlatformClient,
  appId: string,
): Promise<{ shown: string; price_version: number | null }> {
  const app = await call(client.GET('/v1/marketplace/apps/{app_id}', { params: { path: { app_id: appId } } }));
  const shown = costsOf({ functions: app.tools, monthlyPrice: app.monthly_price }) ?? '  nothing';
  return { shown, price_version: app.price_version };
}

const listed = (scopes: readonly string[]): string => scopes.map(printable).join(', ');

/**
 * Returns those of the wanted scopes that the user does not have: neither the scope itself, nor
 * `*`, nor `*` for its resource, such as `notes:*`. Empty if they have all. An app can use a
 * granted scope only while its user has it.
 */
async function notHeld(client: PlatformClient, wanted: readonly string[]): Promise<string[]> {
  const { scopes } = await call(client.GET('/v1/auth/me'));
  return wanted.filter(
    (scope) => !['*', scope, `${scope.split(':')[0] ?? ''}:*`].some((held) => scopes.includes(held)),
  );
}

/** Installed apps, including the platform's own apps, which request no scopes. */
const installed = (client: PlatformClient): Promise<InstalledExtension[]> => call(client.GET('/v1/me/extensions', {}));

async function assertAgreed(context: Context, isOfPriceAlone: boolean): Promise<void> {
  const whenever = isOfPriceAlone
    ? ''
    : 'The app also uses these permissions in your absence, for schedules, webhooks and events.\n';
  const agreed = await isAgreed(context, `${whenever}Accept? [y/N] `);
  if (agreed === null) throw new CommandError('Cannot ask for confirmation here. Add --yes to accept.', ExitCode.usage);
  if (!agreed)
    throw new CommandError(
      isOfPriceAlone ? 'You did not accept the price. Nothing was changed.' : 'Nothing was granted.',
    );
}
