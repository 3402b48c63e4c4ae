import { call, type PlatformClient } from '@platform/client';
import type { Command } from 'commander';
import { wrongAppId } from '../app-document/app-id.js';
import type { Context, ContextOf } from '../context.js';
import { ensureDeveloper } from '../deploying/developer.js';
import { ExitCode } from '../exit-codes.js';
import { CommandError } from '../failures.js';
import { printable } from '../text/printable.js';

/** Options for the facts that the marketplace shows of an app. */
interface ListingOptions {
  name?: string;
  summary?: string;
  description?: string;
  category?: string;
  tags?: string;
  icon?: string;
  homepage?: string;
  license?: string;
  git?: string;
}

interface CreateOptions extends ListingOptions {
  nickname?: string;
}

export function addCreateAndEdit(apps: Command, contextOf: ContextOf): void {
  const create = apps
    .command('create')
    .argument('<app>', 'id of the app: 2 to 64 characters of a-z, 0-9 and -. It never changes')
    .option('--nickname <name>', 'register as a developer with this nickname, if you are not one yet')
    .description('create an app without deploying it; `platform deploy` also creates the app');
  withListing(create).action((appId: string, options: CreateOptions, command: Command) =>
    createApp(contextOf(command), appId, options),
  );
  const edit = apps
    .command('edit')
    .argument('<app>', 'id of the app, see `platform apps`')
    .description('edit the marketplace listing of an app; changes in the app document apply when you deploy it')
    .addHelpText('after', '\nExample:\n  $ platform apps edit notes --category productivity --license MIT');
  withListing(edit).action((appId: string, options: ListingOptions, command: Command) =>
    editApp(contextOf(command), appId, options),
  );
}

const withListing = (command: Command): Command =>
  command
    .option('--name <text>', 'display name')
    .option('--summary <text>', 'short description of up to 200 characters')
    .option('--description <text>', 'full description')
    .option('--category <category>', 'category in the marketplace')
    .option('--tags <list>', 'search words, separated by commas')
    .option('--icon <icon>', 'emoji or image URL')
    .option('--homepage <url>', 'URL of a page about the app')
    .option('--license <license>', 'licence of the app, such as MIT')
    .option('--git <url>', 'URL of the source repository');

const fieldsOf = ({ name, summary, description, category, tags, icon, homepage, license, git }: ListingOptions) => {
  const words = tags?.split(',').flatMap((tag) => tag.trim() || []);
  return {
    name,
    short_description: summary,
    description,
    category,
    tags: words,
    icon,
    homepage,
    license,
    git_url: git,
  };
};

async function createApp(context: Context, appId: string, { nickname, ...options }: CreateOptions): Promise<void> {
  const { keyOrSession: client, output } = context;
  const wrong = wrongAppId(appId);
  if (wrong !== null) throw new CommandError(wrong, ExitCode.usage);
  await ensureDeveloper(context, client, appId, nickname);
  const { name = appId, ...fields } = fieldsOf(options);
  const app = await call(client.POST('/v1/developer/apps', { body: { app_id: appId, name, ...fields } }));
  output.result(
    app,
    `${printable(app.app_id)} was created. It has no version yet: deploy one with \`platform deploy\`.`,
  );
}

async function editApp(
  { keyOrSession: client, output }: Context,
  appId: string,
  options: ListingOptions,
): Promise<void> {
  const body = fieldsOf(options);
  if (Object.values(body).every((value) => value === undefined)) {
    throw new CommandError(
      'Nothing to change. Pass an option such as --name or --category; --help lists all options.',
      ExitCode.usage,
    );
  }
  const app = await update(client, appId, body);
  output.result(app, `${printable(app.app_id)} was changed.`);
}

const update = (client: PlatformClient, appId: string, body: ReturnType<typeof fieldsOf>) =>
  call(client.PUT('/v1/developer/apps/{app_id}', { params: { path: { app_id: appId } }, body }));
