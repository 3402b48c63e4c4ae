import { call, type PlatformClient } from '@platform/client';
import type { Command } from 'commander';
import { wrongAppId } from '../app-document/app-id.js';
import type { Context, ContextOf } from '../context.js';
import { ensureDeveloper } from '../deploying/developer.js';
import { ExitCode } from '../exit-codes.js';
import { CommandError } from '../failures.js';
import { printable } from '../text/printable.js';

/** What the marketplace shows of an app, as options. */
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
    .argument('<app>', 'its id: 2 to 64 of a-z, 0-9 and -. It never changes')
    .option('--nickname <name>', 'become a developer with this nickname, if you are none yet')
    .description('create an app without deploying it; `platform deploy` creates it by itself');
  withListing(create).action((appId: string, options: CreateOptions, command: Command) => createApp(contextOf(command), appId, options));
  const edit = apps
    .command('edit')
    .argument('<app>', 'as shown by `platform apps`')
    .description('change what the marketplace shows of an app; what a version says newly in its document counts from its deploy on')
    .addHelpText('after', '\nExample:\n  $ platform apps edit notes --category productivity --license MIT');
  withListing(edit).action((appId: string, options: ListingOptions, command: Command) => editApp(contextOf(command), appId, options));
}

const withListing = (command: Command): Command =>
  command
    .option('--name <text>', 'what people call it')
    .option('--summary <text>', 'what it does, in a line of up to 200 characters')
    .option('--description <text>', 'what it does')
    .option('--category <category>', 'what the marketplace files it under')
    .option('--tags <list>', 'words to find it by, separated by commas')
    .option('--icon <icon>', 'an emoji, or the address of an image')
    .option('--homepage <url>', 'where people read more about it')
    .option('--license <license>', 'under which licence it is, such as MIT')
    .option('--git <url>', 'its repository');

const fieldsOf = ({ name, summary, description, category, tags, icon, homepage, license, git }: ListingOptions) => {
  const words = tags?.split(',').flatMap((tag) => tag.trim() || []);
  return { name, short_description: summary, description, category, tags: words, icon, homepage, license, git_url: git };
};

async function createApp(context: Context, appId: string, { nickname, ...options }: CreateOptions): Promise<void> {
  const { keyOrSession: client, output } = context;
  const wrong = wrongAppId(appId);
  if (wrong !== null) throw new CommandError(wrong, ExitCode.usage);
  await ensureDeveloper(context, client, appId, nickname);
  const { name = appId, ...fields } = fieldsOf(options);
  const app = await call(client.POST('/v1/developer/apps', { body: { app_id: appId, name, ...fields } }));
  output.result(app, `${printable(app.app_id)} is created, and has no version yet: \`platform deploy\` brings it one.`);
}

async function editApp({ keyOrSession: client, output }: Context, appId: string, options: ListingOptions): Promise<void> {
  const body = fieldsOf(options);
  if (Object.values(body).every((value) => value === undefined)) {
    throw new CommandError('Say what to change, such as --name or --category; --help lists it all.', ExitCode.usage);
  }
  const app = await update(client, appId, body);
  output.result(app, `${printable(app.app_id)} is changed.`);
}

const update = (client: PlatformClient, appId: string, body: ReturnType<typeof fieldsOf>) =>
  call(client.PUT('/v1/developer/apps/{app_id}', { params: { path: { app_id: appId } }, body }));
