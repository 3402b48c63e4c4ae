import { spawn } from 'node:child_process';
import type { Context } from '../context.js';
import { printable } from '../text/printable.js';

export const NO_BROWSER = 'There is no browser here: open this address in yours.';

/** Prints the address, which `webAddress` let through, and has a browser show it where there is one. */
export async function showPage({ output }: Context, url: string): Promise<void> {
  const opened = await openedInBrowser(url);
  output.result({ url, opened }, printable(url));
  if (!opened) output.note(NO_BROWSER);
}

/** Whether there was a browser to open it in. Never by a shell, which would read the address. */
export function openedInBrowser(url: string): Promise<boolean> {
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
