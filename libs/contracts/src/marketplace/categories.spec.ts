import { CATEGORIES, findCategory, suggestCategories } from './categories.js';

it.each([
  ['productivity', 'productivity'],
  ['Productivity', 'productivity'],
  ['Customer support', 'customer-support'],
  ['customer_support', 'customer-support'],
  ['help desk', 'customer-support'],
  ['Ｆｉｎａｎｃｅ', 'finance'],
  ['other', 'general'],
])('takes %j for %s', (text, id) => {
  expect(findCategory(text)?.id).toBe(id);
});

it.each([
  ['productivty', ['productivity']],
  ['custmer suport', ['customer-support']],
  ['qqq', []],
  ['', []],
  ['x'.repeat(60_000), []],
])('does not know %j, and suggests %j', (text, ids) => {
  expect(findCategory(text)).toBeNull();
  expect(suggestCategories(text)).toEqual(ids);
});

it('means one category by a spelling', () => {
  const spellings = CATEGORIES.flatMap(({ id, label, aliases }) => [
    ...new Set([id, label, ...aliases].map((text) => text.toLowerCase())),
  ]);
  expect(spellings.filter((text, at) => spellings.indexOf(text) !== at)).toEqual([]);
  for (const { id, label, aliases } of CATEGORIES) {
    for (const spelling of [id, label, ...aliases])
      expect([spelling, findCategory(spelling)?.id]).toEqual([spelling, id]);
  }
});
