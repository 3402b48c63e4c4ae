import { LedgerService, WalletsRepository } from '@platform/billing';
import { DataSource } from 'typeorm';
import { GatewayTest } from '../../testing/gateway-test.js';
import { LedgerChecksWorker } from './ledger-checks.worker.js';

let gateway: GatewayTest;
beforeAll(async () => (gateway = await GatewayTest.start()));
afterAll(() => gateway.stop());

const metrics = async () => {
  const { Registry } = await import('prom-client');
  const text = await gateway.service.app.get(Registry).metrics();
  return [...text.matchAll(/^(ledger_\w+)\{.*\} (.*)$/gm)]
    .map(([, name, value]) => `${name ?? ''} ${value ?? ''}`)
    .sort();
};

async function walletOf(userId: string): Promise<string> {
  const { app } = gateway.service;
  const id = await app.get(WalletsRepository).ensureWallet(userId);
  const movement = {
    key: `credit ${id}`,
    amount: 100,
    kind: 'admin_adjustment',
    source: 'adjustment',
    earns: false,
  } as const;
  await app.get(LedgerService).credit(id, movement);
  return id;
}

const sealsOf = (walletId: string) =>
  gateway.service.query('SELECT upto_seq FROM wallet_seals WHERE wallet_id = $1', [walletId]);

it('checks the ledger, then seals it where everything adds up, and says so in metrics and the log', async () => {
  expect(await metrics()).toEqual(['ledger_check_age_seconds Nan', 'ledger_problems Nan', 'ledger_shares_due 0']);
  const user = await gateway.user();
  const id = await walletOf(user.id);
  await gateway.service.app.get(LedgerChecksWorker).checkLedger();
  expect(await metrics()).toEqual([
    expect.stringMatching(/^ledger_check_age_seconds \d/),
    'ledger_problems 0',
    'ledger_shares_due 0',
  ]);
  expect(await sealsOf(id)).toEqual([{ upto_seq: '1' }]);

  await gateway.service.app.get(DataSource).transaction(async (em) => {
    await em.query("SET LOCAL session_replication_role = 'replica'");
    await em.query("UPDATE ledger_entries SET description = 'x' WHERE wallet_id = $1", [id]);
  });
  const other = await walletOf((await gateway.user()).id);
  await gateway.service.app.get(LedgerChecksWorker).checkLedger();
  expect(await metrics()).toContain('ledger_problems 1');
  const logged = gateway.service.logLines.filter((line) => line.includes('the ledger does not add up'));
  expect(logged).toHaveLength(1);
  expect(logged[0]).toContain(`wallet ${id}, entries 1: not as it was when root 1 sealed it`);
  // A seal would accept the fault.
  expect(await sealsOf(other)).toEqual([]);
  expect(gateway.service.logLines.join()).toContain('the ledger was not sealed');
});
