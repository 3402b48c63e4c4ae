import { restoreTerminal, setTerminal } from '../testing/terminal.js';
import { isPersonThere, showsColours, showsLiveLines } from './terminal.js';

const VARIABLES = ['CI', 'TERM', 'NO_COLOR', 'FORCE_COLOR'];
afterEach(restoreTerminal);

/** Afterwards the environment is restored. */
function at(isTTY: boolean, env: Record<string, string>): void {
  for (const name of VARIABLES) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, env);
  setTerminal(isTTY);
}

it.each<[string, boolean, Record<string, string>, { asks: boolean; live: boolean; colours: boolean }]>([
  ['a terminal', true, { TERM: 'xterm' }, { asks: true, live: true, colours: true }],
  ['no terminal', false, { TERM: 'xterm' }, { asks: false, live: false, colours: false }],
  ['a terminal that can do little', true, { TERM: 'dumb' }, { asks: true, live: false, colours: false }],
  ['CI', true, { CI: 'true' }, { asks: false, live: false, colours: true }],
  ['CI=1', true, { CI: '1' }, { asks: false, live: false, colours: true }],
  ['no CI', true, { CI: 'false' }, { asks: true, live: true, colours: true }],
  ['an empty CI', true, { CI: '' }, { asks: true, live: true, colours: true }],
  ['NO_COLOR', true, { NO_COLOR: '1' }, { asks: true, live: true, colours: false }],
  ['an empty NO_COLOR', true, { NO_COLOR: '' }, { asks: true, live: true, colours: true }],
  ['FORCE_COLOR in a pipe', false, { FORCE_COLOR: '1' }, { asks: false, live: false, colours: true }],
  ['FORCE_COLOR and NO_COLOR', false, { FORCE_COLOR: '1', NO_COLOR: '1' }, { asks: false, live: false, colours: true }],
  ['FORCE_COLOR=0', true, { FORCE_COLOR: '0' }, { asks: true, live: true, colours: false }],
  ['an empty FORCE_COLOR', false, { FORCE_COLOR: '' }, { asks: false, live: false, colours: false }],
])('in %s', (_where, isTTY, env, expected) => {
  at(isTTY, env);
  expect({ asks: isPersonThere(), live: showsLiveLines(), colours: showsColours() }).toEqual(expected);
});
