import { didYouMean } from './did-you-mean.js';

const KNOWN = ['function', 'webhook', 'schedule', 'event', 'store', 'if'];

it.each([
  ['functoin', 'function'],
  ['funtcion', 'function'],
  ['Function', 'function'],
  ['functions', 'function'],
  ['webhok', 'webhook'],
  ['stroe', 'store'],
])('%s is near to %s', (text, meant) => {
  expect(didYouMean({ of: text, among: KNOWN })).toBe(` Did you mean "${meant}"?`);
});

it.each(['', 'x', 'function', 'lambda', 'f'.repeat(5_000), 'no'])('%s is near to nothing', (text) => {
  expect(didYouMean({ of: text, among: KNOWN })).toBe('');
});
