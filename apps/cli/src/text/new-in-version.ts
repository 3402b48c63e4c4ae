import type { DeployResponse } from '@platform/client';
import { printable } from './printable.js';

/**
 * Formats the changes of a version that need a review, one line for each kind, with its first 50
 * entries.
 */
export function newLines(news: NonNullable<DeployResponse['waits_for']>): string[] {
  const { scopes, hosts, capabilities, events, webhooks, schedules, functions, name, icon } = news;
  const lists: [string, string[]][] = [
    ['scopes', scopes],
    ['hosts (called or redirected to)', hosts],
    ['capabilities', capabilities],
    ['events', events],
    ['webhooks', webhooks],
    ['first schedules', schedules],
    ['functions that require fewer permissions', functions],
    ['name', name === null ? [] : [name]],
  ];
  const lines = lists.flatMap(([what, of]) => (of.length ? [`${what}: ${shown(of)}`] : []));
  return icon ? [...lines, 'icon'] : lines;
}

/** Longest list that people read. `--json` has the whole list. */
const MOST_SHOWN = 50;

function shown(list: readonly string[]): string {
  const more = list.length > MOST_SHOWN ? ` and ${list.length - MOST_SHOWN} more` : '';
  return `${list.slice(0, MOST_SHOWN).map(printable).join(', ')}${more}`;
}
