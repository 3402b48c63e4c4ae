import { getMetadataArgsStorage } from 'typeorm';
import { LedgerBooking } from '../ledger/ledger-booking.entity.js';
import { HASHED_COLUMNS, hashEntry, type HashedEntry } from './entry-hash.js';

it('is of every column that an entry has', () => {
  const columns = getMetadataArgsStorage().columns.filter(({ target }) => target === LedgerBooking);
  const names = columns.map(({ propertyName }) =>
    propertyName.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  );
  expect([...HASHED_COLUMNS].sort()).toEqual(names.sort());
});

it('is what it has been since the first seal, or no seal would fit any more', () => {
  const entry: HashedEntry = {
    wallet_id: '1',
    seq: '2',
    prev_seq: '1',
    kind: 'call_charge',
    counter: 'usage',
    amount: '-5',
    balance_before: '20',
    balance_after: '15',
    lots: '[]',
    idem_key: 'k',
    app_id: 'notes',
    function: 'f',
    price_version: 3,
    developer_id: 'usr_1',
    earned_base: '5',
    share: '3',
    reverses_seq: null,
    ref: 'r',
    description: null,
    at: '1000000',
    recorded_at: '2000000',
  };
  expect(hashEntry(entry).toString('hex')).toBe('ee699c9eabb7ff6611e734a1cfd397c71f707c53c58b62ccaf896bfade35fcd1');
});
