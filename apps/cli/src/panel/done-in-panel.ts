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

/**
 * An action that the user completes in the panel. Only a person in a browser can move money;
 * credentials of the command line cannot.
 */
export interface DoneInPanel<Done extends object> {
  /** Description of the action and its cost, for people. */
  text: string;
  /** The same facts for programs. */
  facts: Record<string, unknown>;
  page: 'wallet' | 'subscription' | 'earnings';
  /** Values to fill into the form. The user sees them before agreeing. */
  proposal?: Record<string, string | number>;
  /** Result to wait for. Null if it can take too long to wait for. */
  outcome: {
    waiting: string;
    /** Undefined until the action is done. */
    ask: () => Promise<Done | undefined>;
    text: (done: Done) => string;
  } | null;
}

/** Adds the options `--open` and `--wait` of `doInPanel` to a command. */
export const withPanelOptions = (command: Command): Command =>
  command
    .option('--open', 'open the page in a browser')
    .option('--wait', 'wait until you finish there, or until Ctrl-C');

/**
 * Prints the action and the address of its page in the panel. With `--open`, opens the page; with
 * `--wait`, waits for the result and prints it, unless `outcome` is null.
 *
 * @throws CommandError if no platform answers, or the address of its panel is not an http(s)
 * address; an AbortError on Ctrl-C while waiting, or the error of `ask`.
 */
export async function doInPanel<Done extends object>(
  context: Context,
  act: DoneInPanel<Done>,
  options: PanelOptions,
): Promise<void> {
  const { output } = context;
  const { text, facts, page, proposal = {}, outcome } = act;
  const url = await pageUrl(context, page, proposal);
  const told = `${text} Continue here:\n\n  ${printable(url)}\n`;
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

/**
 * Returns the address of a page of the panel, with the proposal as its query.
 *
 * @throws CommandError if no platform answers, or the address of its panel is not an http(s)
 * address.
 */
export async function pageUrl(
  { settings }: Context,
  page: string,
  proposal: Record<string, string | number> = {},
): Promise<string> {
  const { panel } = await platformAbout(settings);
  const query = new URLSearchParams(
    Object.entries(proposal).map(([key, value]): [string, string] => [key, String(value)]),
  ).toString();
  return `${panel}/${page}${query && `?${query}`}`;
}
