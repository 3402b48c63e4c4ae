import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Context } from './context.js';
import { withoutPassword } from './database-url.js';
import { urlsOf, type Settings } from './settings.js';

const GAP = 3;

type Row = [name: string, value: string, note?: string];

/** Prints the information that a new user needs. `env` has the credentials and DATABASE_URL. */
export function printSummary({ root, terminal }: Context, settings: Settings, env: NodeJS.ProcessEnv): void {
  const groups = [addresses(root, settings, env), credentials(env), places(root)];
  const rows = groups.flat();
  const nameWidth = Math.max(...rows.map(([name]) => name.length)) + GAP;
  const valueWidth = Math.max(...rows.filter(([, , note]) => note).map(([, value]) => value.length)) + GAP;
  for (const group of groups.filter(({ length }) => length)) {
    terminal.line();
    for (const [name, value, note] of group) {
      const end = note ? `${''.padEnd(valueWidth - value.length)}${terminal.style(note, 'dim')}` : '';
      terminal.line(`  ${terminal.style(name.padEnd(nameWidth), 'dim')}${terminal.style(value, 'bold')}${end}`);
    }
  }
  terminal.line();
}

function addresses(root: string, settings: Settings, env: NodeJS.ProcessEnv): Row[] {
  const { mailbox, smtp, payments, ...urls } = urlsOf(settings);
  const { version } = JSON.parse(readFileSync(join(root, 'apps', 'cli', 'package.json'), 'utf8')) as {
    version: string;
  };
  const rows: Row[] = settings.services.map(({ name }) => {
    const url = urls[name] ?? '';
    return [name, url, name === 'panel' ? 'start here: sign up or sign in' : `API documentation: ${url}/docs`];
  });
  const install = `npx ${urls['panel']}/packages/cli-${version}.tgz login --url ${urls['auth-gateway']}`;
  rows.push(['command line', install]);
  if (mailbox) rows.push(['mailbox', mailbox, `takes mail at ${smtp}`]);
  if (payments) rows.push(['payments (test)', payments, 'fake of Stripe: no money moves']);
  const note = settings.postgresPort ? 'password: .data/postgres/password' : 'from DATABASE_URL';
  rows.push(['postgresql', withoutPassword(env['DATABASE_URL'] ?? ''), note]);
  return rows;
}

function credentials(env: NodeJS.ProcessEnv): Row[] {
  const tokens = (env['SERVICE_TOKENS'] ?? '').split(',').map((entry) => entry.trim().split(':'));
  return [
    ['administrator', env['ADMIN_EMAIL'] ?? ''],
    ['password', env['ADMIN_PASSWORD'] ?? ''],
    ...tokens.map(([name, token]): Row => [`service token "${name}"`, token ?? '']),
  ];
}

function places(root: string): Row[] {
  const shown = (...path: string[]) => relative(process.cwd(), join(root, '.data', ...path)) || '.';
  return [
    ['credentials', shown('dev.env')],
    ['logs', shown('logs')],
  ];
}
