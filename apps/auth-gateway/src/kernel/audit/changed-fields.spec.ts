import { findChangedFields } from './changed-fields.js';

describe('what changed', () => {
  it('is what differs, as it was and as it is', () => {
    const before = { role: 'user', scopes: ['a:b'], agency_id: null };
    expect(findChangedFields(before, { role: 'user', scopes: ['a:b', 'c:d'], agency_id: null })).toEqual({
      before: { scopes: ['a:b'] },
      after: { scopes: ['a:b', 'c:d'] },
    });
  });

  it('is nothing where nothing differs, however deep', () => {
    expect(findChangedFields({ a: { b: [1] }, at: new Date(0) }, { a: { b: [1] }, at: new Date(0) })).toBeNull();
  });
});
