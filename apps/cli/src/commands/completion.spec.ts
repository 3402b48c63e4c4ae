import { createProgram } from '../program.js';
import { candidates } from './completion.js';

const program = createProgram(() => {
  throw new Error('No command is run.');
});
const after = (line: string) => candidates(program, line.split(' '));

it.each([
  ['who', ['whoami']],
  ['apps ', expect.arrayContaining(['create', 'delete', 'list', 'open', 'rollback', 'suspend'])],
  ['apps ro', ['rollback']],
  ['--profile work apps ro', ['rollback']],
  ['webhook list notes --status d', ['dead']],
  ['webhook list notes --sta', ['--status']],
  ['deploy --ni', ['--nickname']],
  ['completion z', ['zsh']],
  ['open s', ['signup', 'subscription']],
  ['topup --', ['--credits', '--help', '--json', '--open', '--profile', '--url', '--version', '--wait']],
  ['subscription c', ['cancel', 'change', 'checkout']],
  ['invoices ', ['list', 'open', 'show']],
  // No candidates: the shell then completes file names.
  ['deploy ', []],
  ['--profile ', []],
  // Commands that only shells use are not offered.
  ['compl', ['completion']],
])('after "%s" may come %j', (line, expected) => {
  expect(after(line)).toEqual(expected);
});
