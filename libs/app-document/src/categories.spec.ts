import { CATEGORIES } from '@platform/contracts';
import { CATEGORY_IDS } from './document.js';

it('a document may name each category of the marketplace, and no other', () => {
  expect(CATEGORY_IDS).toEqual(CATEGORIES.map(({ id }) => id));
});
