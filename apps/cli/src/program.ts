import { Command, Option } from 'commander';
import { addAdmin } from './commands/admin.js';
import { addApps } from './commands/apps.js';
import { addBuild } from './commands/build.js';
import { addAutomations } from './commands/automations.js';
import { addCall } from './commands/call.js';
import { addCompletion } from './commands/completion.js';
import { addDeploy } from './commands/deploy.js';
import { addDev } from './commands/dev.js';
import { addDoctor } from './commands/doctor.js';
import { addEarnings } from './commands/earnings.js';
import { addEvents } from './commands/events.js';
import { addInit } from './commands/init.js';
import { addInstall, addUninstall } from './commands/install.js';
import { addInstalls } from './commands/installs.js';
import { addInvoices } from './commands/invoices.js';
import { addKeys } from './commands/keys.js';
import { addLogin } from './commands/login.js';
import { addLogout } from './commands/logout.js';
import { addLogs } from './commands/logs.js';
import { addOpen } from './commands/open.js';
import { addPayments } from './commands/payments.js';
import { addPayouts } from './commands/payouts.js';
import { addPlans } from './commands/plans.js';
import { addReview } from './commands/review.js';
import { addSchedules } from './commands/schedules.js';
import { addSecrets } from './commands/secrets.js';
import { addSessions } from './commands/sessions.js';
import { addSubmit } from './commands/submit.js';
import { addSubscription } from './commands/subscription.js';
import { addTasks } from './commands/tasks.js';
import { addTest } from './commands/test.js';
import { addTopup } from './commands/topup.js';
import { addUsage } from './commands/usage.js';
import { addValidate } from './commands/validate.js';
import { addWallet } from './commands/wallet.js';
import { addWebhook } from './commands/webhook.js';
import { addWhoami } from './commands/whoami.js';
import type { ContextOf } from './context.js';
import { parseProfile } from './profile.js';
import { DEFAULT_URL, parseServerUrl } from './server-url.js';
import { DEFAULT_PROFILE, defaultUrlShown } from './settings.js';
import { VERSION } from './version.js';

const HELP = `
Examples:
  $ platform login                        sign in with a code that you confirm in a browser
  $ platform whoami
  $ platform keys create ci --expires 90d
  $ platform sessions --json | jq .
  $ platform init notes                   create an app; then validate and deploy it
  $ platform init --typescript notes      the same in TypeScript
  $ platform dev notes/app.json           deploy it as a draft on every save
  $ platform call notes list_notes        call a function of an app
  $ platform topup 10 --open              buy credits; you pay in the panel

Environment:
  PLATFORM_URL, PLATFORM_PROFILE          instead of --url and --profile
  PLATFORM_API_KEY                        an API key, for commands that accept one
  HTTPS_PROXY, HTTP_PROXY, ALL_PROXY      a proxy, such as http://proxy.example.com:3128
  NO_PROXY                                hosts without a proxy, separated by commas
  NO_COLOR, FORCE_COLOR                   disable colours; force colours, also in a pipe

Exit codes:
  0 done, 1 failed, 2 wrong usage, 3 not signed in`;

const HELP_AFTER_ERROR = 'Run the command with --help for its usage.';

/**
 * Creates the command line with all commands. Removes PLATFORM_URL and PLATFORM_PROFILE from the
 * environment if they are empty. Wrong usage throws CommanderError, after its message was printed.
 */
export function createProgram(contextOf: ContextOf): Command {
  // Commander would take an empty variable as a value.
  if (process.env['PLATFORM_URL'] === '') delete process.env['PLATFORM_URL'];
  if (process.env['PLATFORM_PROFILE'] === '') delete process.env['PLATFORM_PROFILE'];
  const program = new Command('platform')
    .description('Manage your account, apps and credits on the platform.')
    .version(VERSION)
    .addOption(
      new Option('--url <url>', 'address of the platform')
        .env('PLATFORM_URL')
        .default(DEFAULT_URL, defaultUrlShown(process.env))
        .argParser(parseServerUrl),
    )
    .addOption(
      new Option('--profile <name>', 'name of an account, if you use several on one platform')
        .env('PLATFORM_PROFILE')
        .default(DEFAULT_PROFILE)
        .argParser(parseProfile),
    )
    .option('--json', 'print the result as JSON to standard output, and everything else to standard error')
    .addHelpText('after', HELP)
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError(HELP_AFTER_ERROR)
    .exitOverride();
  const ofAccount = [addLogin, addWhoami, addLogout, addSessions, addKeys, addOpen, addDoctor, addCompletion];
  const ofApps = [
    addInit,
    addValidate,
    addBuild,
    addTest,
    addDeploy,
    addDev,
    addApps,
    addSubmit,
    addCall,
    addTasks,
    addInstall,
    addUninstall,
    addInstalls,
    addLogs,
    addSecrets,
    addWebhook,
    addAutomations,
    addSchedules,
    addEvents,
  ];
  const ofBilling = [
    addWallet,
    addTopup,
    addUsage,
    addPlans,
    addSubscription,
    addPayments,
    addInvoices,
    addEarnings,
    addPayouts,
  ];
  const ofOperators = [addReview, addAdmin];
  for (const add of [...ofAccount, ...ofApps, ...ofBilling, ...ofOperators]) add(program, contextOf);
  for (const command of program.commands) command.hook('preSubcommand', refuseUnknownSubcommand);
  return program;
}

/**
 * Refuses an unknown subcommand with a suggestion, as wrong usage. Commander would pass it to the
 * default subcommand, which complains about too many arguments. Without a default subcommand,
 * Commander suggests by itself.
 */
function refuseUnknownSubcommand(command: Command): void {
  const [name] = command.args;
  const known = command.commands.map((each) => each.name());
  if (name === undefined || name.startsWith('-') || known.includes(name)) return;
  const strict = new Command(command.name()).copyInheritedSettings(command);
  for (const each of known) strict.command(each);
  strict.showHelpAfterError(`Subcommands: ${known.join(', ')}. ${HELP_AFTER_ERROR}`).parse([name], { from: 'user' });
}
