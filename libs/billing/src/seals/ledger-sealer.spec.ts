import { Keyring } from '@platform/platform';
import { randomBytes } from 'node:crypto';
import { credit, debit, LedgerTest } from '../testing/ledger-test.js';
import { verifyLedger } from '../verify/verify-ledger.js';
import { LedgerSealer } from './ledger-sealer.js';

let test: LedgerTest;
let sealer: LedgerSealer;
const logged: object[] = [];
beforeEach(async () => {
  test = await LedgerTest.start();
  sealer = new LedgerSealer(test.dataSource, test.keyring, { info: (what: object) => void logged.push(what) });
});
afterEach(() => test.stop());

/** Changes data like a superuser of the database without the keys. */
const behindTheBack = (statement: string, values: unknown[] = []) =>
  test.dataSource.transaction(async (em) => {
    await em.query("SET LOCAL session_replication_role = 'replica'");
    await em.query(statement, values);
  });

/** Creates a wallet with a credit and this number of debits. */
async function walletWith(debits: number): Promise<string> {
  const id = await test.createFilledWallet(10_000);
  const made = Array.from({ length: debits }, (_none, n) =>
    test.ledger.debit(id, debit(1, { description: `number ${n}` })),
  );
  await Promise.all(made);
  return id;
}

it('seals the entries of every wallet, in roots that name each other, and tells the log', async () => {
  const [one, other] = [await walletWith(3), await walletWith(1_200)];
  expect(await test.verifyLedger()).toMatchObject({ problems: 0, unsealed: 1_205 });
  const first = await sealer.seal();
  expect(first).toMatchObject({ number: 1, seals: 4, entries: 1_205, previous: '', key_id: 'k1' });
  expect(logged.at(-1)).toEqual({ ledger_root: first });
  expect(await test.verifyLedger()).toMatchObject({ problems: 0, unsealed: 0, notes: [] });
  expect(await sealer.seal()).toBeNull();
  await test.ledger.debit(one, debit(1));
  expect(await sealer.seal()).toMatchObject({ number: 2, seals: 1, entries: 1, previous: first?.mac });
  const uptos = await test.query<{ upto_seq: string }>(
    'SELECT upto_seq FROM wallet_seals WHERE wallet_id = $1 ORDER BY upto_seq',
    [other],
  );
  expect(uptos.map(({ upto_seq: upto }) => Number(upto))).toEqual([500, 1_000, 1_201]);
  expect(await test.verifyLedger()).toMatchObject({ problems: 0, unsealed: 0 });
});

it('seals everything once when several processes do, while movements go on', async () => {
  const ids = await Promise.all(Array.from({ length: 60 }, () => walletWith(5)));
  const moving = ids.map((id) => test.ledger.debit(id, debit(1)));
  await Promise.all([sealer.seal(), sealer.seal(), sealer.seal(), ...moving]);
  await sealer.seal();
  expect(await test.verifyLedger()).toMatchObject({ problems: 0, unsealed: 0, lines: [] });
});

it('goes on with what a run that was ended has left', async () => {
  for (let n = 0; n < 60; n++) await test.createFilledWallet(1);
  const stop = new AbortController();
  const query = jest.spyOn(test.dataSource, 'transaction');
  query.mockImplementationOnce(((work: never) => {
    stop.abort();
    query.mockRestore();
    return test.dataSource.transaction(work);
  }) as never);
  expect(await sealer.seal(stop.signal)).toBeNull();
  const verdict = await test.verifyLedger();
  expect(verdict).toMatchObject({ problems: 0, unsealed: 10 });
  expect(verdict.notes).toContain('root 1 is being made');
  expect(await sealer.seal()).toMatchObject({ number: 1, seals: 60, entries: 60 });
  expect(await test.verifyLedger()).toMatchObject({ problems: 0, unsealed: 0, notes: [] });
});

describe('what nobody can change without a trace, also without triggers', () => {
  let id: string;
  beforeEach(async () => {
    id = await walletWith(9);
    await walletWith(2);
    await sealer.seal();
    await test.ledger.credit(id, credit(5));
    await sealer.seal();
  });

  it.each([
    [
      'a description',
      "UPDATE ledger_entries SET description = 'x' WHERE wallet_id = $1 AND seq = 4",
      [`wallet $1, entry 4: not as it was when root 1 sealed it`],
    ],
    [
      'two times',
      "UPDATE ledger_entries SET at = at - interval '1 day' WHERE wallet_id = $1 AND seq IN (3, 7)",
      [`wallet $1, entry 3, 7: not as it was when root 1 sealed it`],
    ],
    [
      'a key',
      "UPDATE ledger_entries SET idem_key = 'x' WHERE wallet_id = $1 AND seq = 11",
      [`wallet $1, entries 11: not as it was when root 2 sealed it`],
    ],
    [
      'all of them',
      "UPDATE ledger_entries SET ref = 'x' WHERE wallet_id = $1",
      [
        `wallet $1, entries 1 to 10: not as it was when root 1 sealed it`,
        `wallet $1, entries 11: not as it was when root 2 sealed it`,
      ],
    ],
    [
      'a seal',
      "UPDATE wallet_seals SET hash = sha256('x') WHERE wallet_id = $1 AND upto_seq = 10",
      [
        `wallet $1, entries 1 to 10: not as it was when root 1 sealed it`,
        `wallet $1, entries 11: not as it was when root 2 sealed it`,
        'root 1: its 2 seals differ from the 2 seals that it was made of',
      ],
    ],
    [
      'a seal that is gone',
      'DELETE FROM wallet_seals WHERE wallet_id = $1 AND upto_seq = 10',
      [
        `wallet $1, entries 1 to 11: not as it was when root 2 sealed it`,
        'root 1: its 1 seals differ from the 2 seals that it was made of',
      ],
    ],
    [
      'a root',
      "UPDATE ledger_roots SET entries = 1 WHERE number = 1 AND $1 <> ''",
      ['root 1: it was not made by the gateway'],
    ],
    [
      'a root that is gone',
      "DELETE FROM ledger_roots WHERE number = 1 AND $1 <> ''",
      ['root 1: it is missing, but 2 is there'],
    ],
  ])('%s', async (_what, statement, expected) => {
    await behindTheBack(statement.replaceAll('$1', statement.includes("$1 <> ''") ? `'${id}'` : id));
    expect((await test.verifyLedger()).lines.sort()).toEqual(expected.map((line) => line.replace('$1', id)).sort());
  });

  it('the end of a wallet with all that was made of it', async () => {
    await behindTheBack('DELETE FROM ledger_entries WHERE wallet_id = $1 AND seq = 11', [id]);
    await behindTheBack(
      `UPDATE wallets SET balance = 9991, seq = 10, lots = '[{"source":"adjustment","priority":30,"expires_at":null,"earns":false,"amount":9991}]' WHERE id = $1`,
      [id],
    );
    expect((await test.verifyLedger()).lines).toEqual([
      `wallet ${id}, entry 10: root 2 sealed the entries 11 to 11, but the last entry is 10`,
    ]);
  });

  it('a seal made anew, since the root would need the key', async () => {
    const forger = new LedgerSealer(test.dataSource, new Keyring(new Map([['k1', randomBytes(32)]])), {
      info: () => undefined,
    });
    await behindTheBack("UPDATE ledger_entries SET description = 'x' WHERE wallet_id = $1 AND seq = 4", [id]);
    await behindTheBack('DELETE FROM wallet_seals');
    await behindTheBack('DELETE FROM ledger_roots');
    await forger.seal();
    expect((await test.verifyLedger()).lines).toEqual(['root 1: it was not made by the gateway']);
  });
});

it('says of which roots it has no key', async () => {
  await walletWith(1);
  await sealer.seal();
  const keyring = new Keyring(new Map([['k2', randomBytes(32)]]));
  const verdict = await verifyLedger(test.dataSource, { keyring, report: () => undefined });
  expect(verdict).toMatchObject({ problems: 0 });
  expect(verdict.notes).toEqual([
    'root 1 and perhaps later ones cannot be checked: the key "k1" is not among SECRET_KEYS',
  ]);
});

it.each([
  'UPDATE wallet_seals SET root_number = 1',
  'DELETE FROM wallet_seals',
  'TRUNCATE wallet_seals',
  'UPDATE ledger_roots SET entries = 1',
  'DELETE FROM ledger_roots',
  'TRUNCATE ledger_roots CASCADE',
])('the database refuses: %s', async (statement) => {
  await walletWith(1);
  await sealer.seal();
  await expect(test.query(statement)).rejects.toThrow('never changed or removed');
});
