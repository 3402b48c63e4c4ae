import type { DeployResponse } from '@platform/client';
import { printable } from './printable.js';

type News = NonNullable<DeployResponse['waits_for']>;

/** What is new in a version beside the one that is served, a line for each kind. */
export function newLines({ scopes, hosts, capabilities, events, functions, name, icon }: News): string[] {
  const lists: [string, string[]][] = [
    ['scopes', scopes],
    ['hosts', hosts],
    ['capabilities', capabilities],
    ['events', events],
    ['functions that ask less of their callers', functions],
    ['name', name === null ? [] : [name]],
  ];
  const lines = lists.flatMap(([what, of]) => (of.length ? [`${what}: ${of.map(printable).join(', ')}`] : []));
  return icon ? [...lines, 'icon'] : lines;
}
