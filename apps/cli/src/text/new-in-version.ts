import type { News } from '../older-platforms.js';
import { printable } from './printable.js';

/** What is new in a version beside the one that is served, a line for each kind. */
export function newLines({ scopes, hosts, capabilities, events, webhooks = [], schedules = [], functions, name, icon }: News): string[] {
  const lists: [string, string[]][] = [
    ['scopes', scopes],
    ['hosts (called or redirected to)', hosts],
    ['capabilities', capabilities],
    ['events', events],
    ['webhooks', webhooks],
    ['first schedules', schedules],
    ['functions that ask less of their callers', functions],
    ['name', name === null ? [] : [name]],
  ];
  const lines = lists.flatMap(([what, of]) => (of.length ? [`${what}: ${shown(of)}`] : []));
  return icon ? [...lines, 'icon'] : lines;
}

/** More than a person reads. The whole list is in `--json`. */
const MOST_SHOWN = 50;

function shown(list: readonly string[]): string {
  const more = list.length > MOST_SHOWN ? ` and ${list.length - MOST_SHOWN} more` : '';
  return `${list.slice(0, MOST_SHOWN).map(printable).join(', ')}${more}`;
}
