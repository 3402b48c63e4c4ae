import { spawn } from 'node:child_process';
import type { Context } from '../context.js';
import { printable } from '../text/printable.js';

export const NO_BROWSER = 'No browser is available here. Open the address in your own browser.';

/**
 * Prints the address and opens it in a browser; without a browser, prints a note.
 *
 * @param url an address that `webAddress` has accepted.
 */
export async function showPage({ output }: Context, url: string): Promise<void> {
  const opened = await openedInBrowser(url);
  output.result({ url, opened }, printable(url));
  if (!opened) output.note(NO_BROWSER);
}

/**
 * Opens an address in a browser: the one in BROWSER, or that of the desktop. True once its program
 * has started, whatever it does then. False if that cannot start, or on Linux without a display and
 * BROWSER. Does not use a shell, which would interpret the address.
 */
export function openedInBrowser(url: string): Promise<boolean> {
  const { env, platform } = process;
  const [program, address] = env['BROWSER']
    ? [env['BROWSER'], url]
    : platform === 'darwin'
      ? ['open', url]
      : platform === 'win32'
        ? ['explorer.exe', url.replace(/[,\\]/g, encodeURIComponent)] // explorer.exe treats text after a comma as further arguments
        : ['xdg-open', url];
  // Without a display, `xdg-open` may start a text browser inside of this terminal.
  if (!env['BROWSER'] && platform === 'linux' && !env['DISPLAY'] && !env['WAYLAND_DISPLAY'])
    return Promise.resolve(false);
  return new Promise((resolve) => {
    const child = spawn(program, [address], { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
