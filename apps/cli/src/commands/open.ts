import { call } from '@platform/client';
import { Argument, type Command } from 'commander';
import type { Context, ContextOf } from '../context.js';
import { CommandError } from '../failures.js';
import { showPage } from '../panel/browser.js';
import { platformAbout } from '../platform-about.js';
import { printable } from '../text/printable.js';
import { webAddress } from '../web-address.js';

const PAGES = ['panel', 'wallet', 'subscription', 'payments', 'signup', 'login', 'device', 'docs'] as const;
type Page = (typeof PAGES)[number];

export function addOpen(program: Command, contextOf: ContextOf): void {
  program
    .command('open')
    .addArgument(new Argument('[page]', 'page to open; the panel by default').choices(PAGES).default('panel'))
    .description('open the panel or another page of the platform in a browser')
    .addHelpText('after', '\nExample:\n  $ platform open docs')
    .action((page: Page, _options: object, command: Command) => open(contextOf(command), page));
}

async function open(context: Context, page: Page): Promise<void> {
  const { panel, docs } = await platformAbout(context.settings);
  await showPage(context, page === 'docs' ? docs : page === 'panel' ? panel : `${panel}/${page}`);
}

export function addOpenApp(apps: Command, contextOf: ContextOf): void {
  apps
    .command('open')
    .argument('<app>', 'id of the app, see `platform apps`')
    .description('open the homepage of one of your apps in a browser')
    .action((appId: string, _options: object, command: Command) => openApp(contextOf(command), appId));
}

async function openApp(context: Context, appId: string): Promise<void> {
  const { homepage } = await call(
    context.keyOrSession.GET('/v1/developer/apps/{app_id}', { params: { path: { app_id: appId } } }),
  );
  const address = webAddress(homepage ?? '');
  if (!address) {
    throw new CommandError(
      `${printable(appId)} has no homepage. Set one with \`platform apps edit ${printable(appId)} --homepage <url>\`, then retry.`,
    );
  }
  await showPage(context, address.href);
}
