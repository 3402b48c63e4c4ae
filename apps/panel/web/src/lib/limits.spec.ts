import { limitOf, noLimit } from './limits.js';

it('is none only where that was chosen', () => {
  expect(limitOf({ [noLimit('a')]: 'on' }, 'a')).toBeNull();
  expect(limitOf({ [noLimit('a')]: 'on', a: '5' }, 'a')).toBeNull();
  expect(limitOf({ [noLimit('b')]: 'on', a: ' 500 ' }, 'a')).toBe(500);
  expect(limitOf({ a: '0' }, 'a')).toBe(0);
});

it('is not taken for none where the field was emptied, or holds no number: the platform refuses it', () => {
  for (const [text, sent] of [
    ['', ''],
    ['  ', ''],
    ['-5', '-5'],
    ['many', 'many'],
  ] as const) {
    expect(limitOf({ a: text }, 'a')).toBe(sent);
  }
  expect(limitOf({}, 'a')).toBe('');
});
