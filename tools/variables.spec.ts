import { serviceTokens, wholeNumber } from '@platform/platform';
import { str } from 'envalid';
import { readFileSync } from 'node:fs';
import { loadConfig as gatewayConfig } from '../apps/auth-gateway/src/config.js';
import { loadConfig as hostConfig } from '../apps/ext-webhook-host/src/config.js';
import { loadConfig as panelConfig } from '../apps/panel/src/config.js';
import { loadConfig as registryConfig } from '../apps/registry/src/config.js';
import { variablesTable } from './variables.js';

const rowsOf = (table: string): string[][] =>
  table
    .split('\n')
    .slice(2)
    .map((line) => line.slice(2, -2).split(' | '));

const HOST = { HOST: str({ default: '0.0.0.0', devDefault: '127.0.0.1', desc: 'where to listen' }) };
const LIMIT = wholeNumber(1, 9);

describe('the table of variables', () => {
  it('has one row for what all services mean by a name, with its defaults and what it may be', () => {
    const table = variablesTable(
      {
        one: {
          ...HOST,
          PORT: LIMIT({ default: 1, desc: 'the port' }),
          KIND: str({ choices: ['a', 'b'], desc: 'which', docs: 'page.md#kind' }),
        },
        two: { ...HOST, PORT: LIMIT({ default: 2, desc: 'the port' }) },
      },
      { tool: HOST },
    );
    expect(rowsOf(table)).toEqual([
      ['`HOST`', 'all services, tool', '`0.0.0.0` in production, otherwise `127.0.0.1`', 'where to listen'],
      ['`KIND`', 'one', 'required', 'which (`a`, `b`) ([more](page.md#kind))'],
      ['`PORT`', 'all services', '`1` (one), `2` (two)', 'the port (1 to 9)'],
    ]);
  });

  it('has a row for each thing that is meant by a name', () => {
    const table = variablesTable(
      {
        one: { URL: str({ devDefault: '', desc: 'of one' }) },
        two: { URL: str({ default: undefined, desc: 'of two | three' }) },
      },
      {},
    );
    expect(rowsOf(table)).toEqual([
      ['`URL`', 'one', 'required in production, otherwise none', 'of one'],
      ['`URL`', 'two', 'none', 'of two \\| three'],
    ]);
  });

  it('is refused where nobody described a variable, or its default cannot be written', () => {
    expect(() => variablesTable({ one: { NAME: str() } }, {})).toThrow('NAME has no description in its specification.');
    const tokens = serviceTokens({ default: [{ name: 'a', token: 'b' }], desc: 'who calls' });
    expect(() => variablesTable({ one: { TOKENS: tokens } }, {})).toThrow(/expected name:token|The default of TOKENS/);
  });

  it('names every variable that the services have, and the page about the configuration shows it', () => {
    const names = new Set(rowsOf(variablesTable()).map(([name = '']) => name.replaceAll('`', '')));
    const env = {
      DATABASE_URL: 'postgres://unused',
      SECRET_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
      SERVICE_TOKENS: 'unused:unused-unused-unused-unused',
      GATEWAY_SERVICE_TOKEN: 'unused-unused-unused-unused',
    };
    const read = [gatewayConfig, registryConfig, hostConfig, panelConfig].flatMap((load) => Object.keys(load(env)));
    expect([...new Set(read)].filter((name) => !names.has(name))).toEqual([]);
    const page = readFileSync('docs/configuration.md', 'utf8');
    expect([...names].filter((name) => !page.includes(`\n| \`${name}\``))).toEqual([]);
  });
});
