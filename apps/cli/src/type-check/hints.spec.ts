import { hintFor } from './hints.js';

it.each([
  ["Cannot find name 'fetch'.", 'ctx.http'],
  ['fetch is not defined', 'ctx.http'],
  ['Could not resolve "node:https".', 'ctx.http'],
  ['Could not resolve "node:fs".', 'cannot use Node.js. Use ctx.store to store documents.'],
  ['Could not resolve "fs/promises".', 'cannot use Node.js. Use ctx.store to store documents.'],
  ['Could not resolve "node:os".', 'cannot use Node.js.'],
  ["Cannot find module 'axios' or its corresponding type declarations.", 'ctx.http'],
  ["Cannot find name 'process'. Do you need to install type definitions for node?", 'ctx.config'],
])('%s has a hint at %s', (message, hint) => {
  expect(hintFor(message)).toContain(hint);
});

it.each([
  "Property 'stroe' does not exist on type 'FunctionContext'.",
  "Cannot find name 'constructor'.",
  'Could not resolve "./fetch".',
])('%s has none', (message) => {
  expect(hintFor(message)).toBe('');
});
