import type { Command } from 'commander';
import { readFileSync } from 'node:fs';
import { createProgram } from './program.js';

const guide = readFileSync('docs/cli.md', 'utf8');

/** Commands as users type them: `whoami`, `keys create`. */
function commandsOf({ commands }: Command, group = ''): string[] {
  // The command `complete` is only for shells and is in no manual.
  return commands
    .filter((command) => command.name() !== 'complete')
    .flatMap((command) => {
      const path = `${group}${command.name()}`;
      return command.commands.length ? commandsOf(command, `${path} `) : [path];
    });
}

const commands = commandsOf(
  createProgram(() => {
    throw new Error('No command is run.');
  }),
);

describe('docs/cli.md', () => {
  const [, table = '', outside = ''] =
    /^\| command +\| scopes of the key +\|\n\|[ -|]+\n((?:\|.*\n)+)\n(.*)\n/m.exec(guide) ?? [];
  const rows = table
    .trim()
    .split('\n')
    .map((row) => row.split('|').slice(1, 3));
  const inCode = (text = '') => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

  it('says of each command which scopes a key needs, or that it takes none', () => {
    const named = [...rows.flatMap(([names]) => inCode(names)), ...inCode(outside)];
    const isNamed = (command: string) => named.includes(command) || named.includes(command.split(' ')[0] ?? '');
    expect(commands.length).toBeGreaterThan(20);
    expect(commands.filter((command) => !isNamed(command))).toEqual([]);
    expect(
      named.filter((name) => !commands.some((command) => command === name || command.startsWith(`${name} `))),
    ).toEqual([]);
    expect(new Set(named).size).toBe(named.length);
  });

  it('gives each of them a scope', () => {
    for (const [names, scopes] of rows)
      expect([names, inCode(scopes)]).toEqual([
        names,
        expect.arrayContaining([expect.stringMatching(/^[<a-z>]+:[a-z]+$/)]),
      ]);
  });
});

it('the help names the platform of the clone', () => {
  process.env['PLATFORM_CLONE_URL'] = 'http://localhost:4500';
  try {
    const program = createProgram(() => {
      throw new Error('No command is run.');
    });
    expect(program.helpInformation().replace(/\s+/g, ' ')).toContain(
      '(default: http://localhost:4500, which runs from this repository, env: PLATFORM_URL)',
    );
  } finally {
    delete process.env['PLATFORM_CLONE_URL'];
  }
});
