import { Ledger, moveBillingTime, Wallets } from '@platform/billing';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from '../../config.js';
import { GatewayTest } from '../../testing/gateway.js';
import { LedgerChecks } from './ledger-checks.jobs.js';

let gateway: GatewayTest;
beforeAll(async () => (gateway = await GatewayTest.start({ WORKERS: 'off' })));
afterAll(() => gateway.stop());

const metrics = async () => {
  const { Registry } = await import('prom-client');
  const text = await gateway.service.app.get(Registry).metrics();
  return [...text.matchAll(/^(ledger_\w+)\{.*\} (.*)$/gm)].map(([, name, value]) => `${name ?? ''} ${value ?? ''}`).sort();
};

async function walletOf(userId: string): Promise<string> {
  const { app } = gateway.service;
  const id = await app.get(Wallets).ensure(userId);
  const movement = {
    key: `credit ${id}`,
    amount: 100,
    kind: 'admin_adjustment',
    counter: 'adjust',
    source: 'adjustment',
    earns: false,
  } as const;
  await app.get(Ledger).credit(id, movement);
  return id;
}

it('checks the ledger, then seals it, and says so in metrics and the log', async () => {
  expect(await metrics()).toEqual(['ledger_check_age_seconds Nan', 'ledger_problems Nan', 'ledger_shares_due 0']);
  const user = await gateway.user();
  const id = await walletOf(user.id);
  await gateway.service.app.get(LedgerChecks).check();
  expect(await metrics()).toEqual([expect.stringMatching(/^ledger_check_age_seconds \d/), 'ledger_problems 0', 'ledger_shares_due 0']);
  expect(await gateway.service.query('SELECT upto_seq FROM wallet_seals WHERE wallet_id = $1', [id])).toEqual([{ upto_seq: '1' }]);

  await gateway.service.app.get(DataSource).transaction(async (em) => {
    await em.query("SET LOCAL session_replication_role = 'replica'");
    await em.query("UPDATE ledger_entries SET description = 'x' WHERE wallet_id = $1", [id]);
  });
  await gateway.service.app.get(LedgerChecks).check();
  expect(await metrics()).toContain('ledger_problems 1');
  const logged = gateway.service.logLines.filter((line) => line.includes('the ledger does not add up'));
  expect(logged).toHaveLength(1);
  expect(logged[0]).toContain(`wallet ${id}, entries 1: not as it was when root 1 sealed it`);
});

it('does not start in production where the time of billing is ahead, and fixes it where it is not', async () => {
  const dataSource = gateway.service.app.get(DataSource);
  await moveBillingTime(dataSource, '32 days');
  const checks = gateway.service.app.get(LedgerChecks);
  await checks.onModuleInit();
  Object.assign(checks, { config: { ...gateway.service.app.get<Config>(CONFIG), NODE_ENV: 'production' } });
  await expect(checks.onModuleInit()).rejects.toThrow('ahead by 32 days');
  await moveBillingTime(dataSource, '0');
  await checks.onModuleInit();
  await expect(moveBillingTime(dataSource, '32 days')).rejects.toThrow('A gateway in production has run on this database');
});
