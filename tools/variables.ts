import { isDeepStrictEqual } from 'node:util';
import { specification as gateway } from '../apps/auth-gateway/src/config.js';
import { specification as host } from '../apps/ext-webhook-host/src/config.js';
import { specification as panel } from '../apps/panel/src/config.js';
import { specification as registry } from '../apps/registry/src/config.js';
import { AUDIT_VARIABLES, DATABASE_VARIABLES, KEY_VARIABLES, MIGRATE_VARIABLES } from './operator-variables.js';

/** A variable as envalid describes it. */
export interface Variable {
  desc?: string;
  /** Path relative to docs/. */
  docs?: string;
  choices?: readonly unknown[];
  default?: unknown;
  devDefault?: unknown;
  _parse: (input: string) => unknown;
}

type Specification = Readonly<Record<string, Variable>>;

const SERVICES: Readonly<Record<string, Specification>> = { gateway, registry, host, panel };
const TOOLS: Readonly<Record<string, Specification>> = {
  '`migrate`': MIGRATE_VARIABLES,
  '`keys`': { ...DATABASE_VARIABLES, ...KEY_VARIABLES },
  '`audit`': { ...DATABASE_VARIABLES, ...AUDIT_VARIABLES },
  '`billing`': { ...DATABASE_VARIABLES, ...KEY_VARIABLES },
};

interface Row {
  name: string;
  meaning: string;
  readers: string[];
  /** Readers by default value. */
  defaults: Map<string, string[]>;
}

/**
 * Markdown table of all variables with their readers, default and description. A name with
 * different descriptions has one row for each.
 * @throws Error for a variable without a description, and for a default that cannot be written.
 */
export function variablesTable(services = SERVICES, tools = TOOLS): string {
  const rows = new Map<string, Row>();
  for (const [reader, specification] of Object.entries({ ...services, ...tools })) {
    for (const [name, variable] of Object.entries(specification)) {
      const meaning = meaningOf(name, variable);
      const key = `${name} ${meaning}`;
      const row = rows.get(key) ?? { name, meaning, readers: [], defaults: new Map<string, string[]>() };
      rows.set(key, row);
      row.readers.push(reader);
      const value = defaultOf(name, variable);
      row.defaults.set(value, [...(row.defaults.get(value) ?? []), reader]);
    }
  }
  const names = Object.keys(services);
  const lines = [...rows.values()]
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    .map(({ name, meaning, readers, defaults }) => [
      `\`${name}\``,
      readersShown(readers, names),
      defaultsShown(defaults),
      meaning,
    ]);
  return [['variable', 'read by', 'default', ''], ['---', '---', '---', '---'], ...lines]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');
}

function readersShown(readers: readonly string[], services: readonly string[]): string {
  const isOfAll = services.length > 1 && services.every((service) => readers.includes(service));
  return (isOfAll ? ['all services', ...readers.filter((reader) => !services.includes(reader))] : readers).join(', ');
}

function defaultsShown(defaults: ReadonlyMap<string, readonly string[]>): string {
  if (defaults.size === 1) return [...defaults.keys()].join();
  return [...defaults].map(([value, readers]) => `${value} (${readers.join(', ')})`).join(', ');
}

function meaningOf(name: string, { desc, docs, choices, _parse }: Variable): string {
  if (!desc) throw new Error(`${name} has no description in its specification.`);
  const form = choices ? choices.map((choice) => `\`${String(choice)}\``).join(', ') : rangeOf(_parse);
  const text = desc.replaceAll(/[*<]/g, '\\$&');
  return [text, form && `(${form})`, docs && `([more](${docs}))`].filter(Boolean).join(' ');
}

/** Range of a whole number, such as `1 to 200`; read from the error for an invalid value. */
function rangeOf(parse: Variable['_parse']): string {
  try {
    parse('?');
    return '';
  } catch (error) {
    return /^expected a whole number from (\d+ to \d+)$/.exec((error as Error).message)?.[1] ?? '';
  }
}

function defaultOf(name: string, variable: Variable): string {
  const inProduction = 'default' in variable ? shown(name, variable, variable.default) : 'required';
  const otherwise = 'devDefault' in variable ? shown(name, variable, variable.devDefault) : inProduction;
  return otherwise === inProduction ? inProduction : `${inProduction} in production, otherwise ${otherwise}`;
}

/** Text of a default. A default is the parsed value, not the text of the variable. */
function shown(name: string, { _parse }: Variable, value: unknown): string {
  if (isNothing(value)) return 'none';
  if (typeof value === 'string' || typeof value === 'number') return `\`${value}\``;
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return `\`${value.join(',')}\``;
  if (isDeepStrictEqual(_parse('none'), value)) return '`none`';
  throw new Error(`The default of ${name} has no known text.`);
}

const isNothing = (value: unknown): boolean =>
  value === undefined ||
  value === '' ||
  (value instanceof Set ? value.size === 0 : typeof value === 'object' && isEmpty(value));

const isEmpty = (value: object | null): boolean => value === null || Object.keys(value).length === 0;
