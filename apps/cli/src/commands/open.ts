import { call } from '@platform/client';
import { Argument, type Command } from 'commander';
import { spawn } from 'node:child_process';
import type { Context, ContextOf } from '../context.js';
import { CommandError } from '../failures.js';
import { platformAbout } from '../platform-about.js';
import { printable } from '../text/printable.js';
import { webAddress } from '../web-address.js';

const PAGES = ['panel', 'signup', 'login', 'device', 'docs'] as const;
type Page = (typeof PAGES)[number];

export function addOpen(program: Command, contextOf: ContextOf): void {
  program
    .command('open')
    .addArgument(new Argument('[page]', 'which page; the panel unless told').choices(PAGES).default('panel'))
    .description('open the panel, or another page of the platform, in a browser')
    .addHelpText('after', '\nExample:\n  $ platform open docs')
    .action((page: Page, _options: object, command: Command) => open(contextOf(command), page));
}

async function open(context: Context, page: Page): Promise<void> {
  const { panel, docs } = await platformAbout(context.settings);
  await show(context, page === 'docs' ? docs : page === 'panel' ? panel : `${panel}/${page}`);
}

export function addOpenApp(apps: Command, contextOf: ContextOf): void {
  apps
    .command('open')
    .argument('<app>', 'as shown by `platform apps`')
    .description('open the homepage of an app of yours in a browser')
    .action((appId: string, _options: object, command: Command) => openApp(contextOf(command), appId));
}

async function openApp(context: Context, appId: string): Promise<void> {
  const { homepage } = await call(context.keyOrSession.GET('/v1/developer/apps/{app_id}', { params: { path: { app_id: appId } } }));
  const address = webAddress(homepage ?? '');
  if (!address) {
    throw new CommandError(
      `${printable(appId)} has no homepage. \`platform apps edit ${printable(appId)} --homepage <url>\` gives it one.`,
    );
  }
  await show(context, address.href);
}

/** Prints the address, which `webAddress` let through, and has a browser show it where there is one. */
async function show({ output }: Context, url: string): Promise<void> {
  const opened = await openedInBrowser(url);
  output.result({ url, opened }, printable(url));
  if (!opened) output.note('There is no browser here: open this address in yours.');
}

/** Never by a shell, which would read the address. */
function openedInBrowser(url: string): Promise<boolean> {
  const { env, platform } = process;
  const [program, address] = env['BROWSER']
    ? [env['BROWSER'], url]
    : platform === 'darwin'
      ? ['open', url]
      : platform === 'win32'
        ? ['explorer.exe', url.replace(/[,\\]/g, encodeURIComponent)] // which reads on behind a comma, as what else to open
        : ['xdg-open', url];
  // Without a display `xdg-open` may end up with a browser in text, in the middle of this terminal.
  if (!env['BROWSER'] && platform === 'linux' && !env['DISPLAY'] && !env['WAYLAND_DISPLAY']) return Promise.resolve(false);
  return new Promise((resolve) => {
    const child = spawn(program, [address], { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
