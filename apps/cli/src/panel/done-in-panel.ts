import type { Command } from 'commander';
import type { Context } from '../context.js';
import { platformAbout } from '../platform-about.js';
import { printable } from '../text/printable.js';
import { NO_BROWSER, openedInBrowser } from './browser.js';
import { waitFor } from './wait-for.js';

export interface PanelOptions {
  open?: true;
  wait?: true;
}

/** What is done in the panel: money is released by a person in a browser, and no credential of the command line does it. */
export interface DoneInPanel<Done extends object> {
  /** What it is, and what it costs. */
  text: string;
  /** The same for programs. */
  facts: Record<string, unknown>;
  page: 'wallet' | 'subscription' | 'earnings';
  /** What is filled in there; its user sees it before they agree. */
  proposal?: Record<string, string | number>;
  /** What is waited for. Null where it happens later than anybody waits. */
  outcome: {
    waiting: string;
    /** Undefined until it is done. */
    ask: () => Promise<Done | undefined>;
    text: (done: Done) => string;
  } | null;
}

/** With the options of `doInPanel`. */
export const withPanelOptions = (command: Command): Command =>
  command.option('--open', 'open the page in a browser').option('--wait', 'wait until it is done, or until Ctrl-C');

/** Says what is to be done and where, opens the page where that is wanted, and waits until it is done where that is. */
export async function doInPanel<Done extends object>(context: Context, act: DoneInPanel<Done>, options: PanelOptions): Promise<void> {
  const { output } = context;
  const { text, facts, page, proposal = {}, outcome } = act;
  const url = await pageUrl(context, page, proposal);
  const told = `${text} Do it here:\n\n  ${printable(url)}\n`;
  const isWaiting = options.wait === true && outcome !== null;
  if (isWaiting) output.say(told);
  const opened = options.open === true && (await openedInBrowser(url));
  if (options.open && !opened) output.note(NO_BROWSER);
  if (!isWaiting) {
    output.result({ ...facts, url, opened }, told.trimEnd());
    return;
  }
  const done = await waitFor(context, outcome.waiting, outcome.ask);
  output.result({ ...facts, url, opened, ...done }, outcome.text(done));
}

/** The address of a page of the panel. */
export async function pageUrl({ settings }: Context, page: string, proposal: Record<string, string | number> = {}): Promise<string> {
  const { panel } = await platformAbout(settings);
  const query = new URLSearchParams(Object.entries(proposal).map(([key, value]): [string, string] => [key, String(value)])).toString();
  return `${panel}/${page}${query && `?${query}`}`;
}
