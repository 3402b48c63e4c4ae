import type { EntityManager } from 'typeorm';
import type { PlanGrantsService } from '../../plans/plan-grants.service.js';
import type { PlanNoticesService } from '../../plans/plan-notices.service.js';
import { PaidSubscriptionsService } from '../../plans/paid-subscriptions.service.js';
import { LedgerTest } from '../../testing/ledger-test.js';
import { PAYMENT_COLUMNS, type PaymentRow } from '../payment-row.js';
import { ClawbacksService } from './clawbacks.service.js';

const OTHERS = 2_000;

/** A user with many payments, many wallet entries, and a change to a larger plan. */
let test: LedgerTest;
let user: string;
let wallet: string;
beforeAll(async () => {
  test = await LedgerTest.start();
  user = await test.createUser();
  wallet = await test.wallets.ensureWallet(user);
  await test.dataSource.transaction(async (em) => {
    await em.query("SET LOCAL session_replication_role = 'replica'");
    await em.query(
      `INSERT INTO subscriptions (id, tenant_id, user_id, plan_id, plan_version, status, started_at, anchor_at, period_number, period_starts_at, period_ends_at)
       VALUES ('sub', 'default', $1, 'large', 1, 'active', now(), now(), 1, now(), now() + interval '1 month')`,
      [user],
    );
    await em.query(
      `INSERT INTO payments (id, tenant_id, user_id, purpose, scope, status, amount_cents, currency, credits, is_live, provider_intent_id, completed_at,
         subscription_id, plan_id, plan_version, period_number, from_plan_id, from_plan_version, refunded_cents, returning_cents)
       SELECT 'pay_' || n, 'default', $1, 'upgrade', 'pay_' || n, 'succeeded', 500, 'usd', 0, false, 'pay_' || n, now(),
         CASE n WHEN 0 THEN 'sub' ELSE 'sub_' || n END, 'large', 1, 1, 'small', 1, CASE n WHEN 0 THEN 500 ELSE 0 END, CASE n WHEN 0 THEN 500 ELSE 0 END
       FROM generate_series(0, $2::int) AS n`,
      [user, OTHERS],
    );
    await em.query(
      `INSERT INTO payment_refunds (id, tenant_id, payment_id, number, amount_cents, reason, status)
       VALUES ('refund', 'default', 'pay_0', 1, 500, 'requested', 'succeeded')`,
    );
    await em.query(
      `INSERT INTO ledger_entries (wallet_id, seq, prev_seq, kind, counter, amount, balance_before, balance_after, lots, idem_key)
       SELECT $1, seq, nullif(seq - 1, 0), CASE seq WHEN 1 THEN 'subscription_grant' ELSE 'call_charge' END, CASE seq WHEN 1 THEN 'plan_grant' ELSE 'usage' END,
         amount, after - amount, after, jsonb_build_array(jsonb_build_object('source', 'plan', 'priority', 1, 'expires_at', '2100-01-01T00:00:00Z', 'earns', false, 'amount', abs(amount))),
         CASE seq WHEN 1 THEN 'grant:sub:1:pay_0' ELSE 'call:' || seq END
       FROM generate_series(1, $2::int) AS seq, LATERAL (SELECT CASE seq WHEN 1 THEN $2 ELSE -1 END AS amount, $2 + 1 - seq AS after) AS n`,
      [wallet, OTHERS],
    );
  });
  await test.query('ANALYZE payments, ledger_entries');
});
afterAll(() => test.stop());

/** Runs EXPLAIN for each statement before the statement. */
function explaining(em: EntityManager, plans: string[]): EntityManager {
  const query = async (sql: string, values: unknown[] = []): Promise<unknown> => {
    const plan = await em.query<{ 'QUERY PLAN': string }[]>(`EXPLAIN ${sql}`, values);
    plans.push(...plan.map((line) => line['QUERY PLAN']));
    return em.query(sql, values);
  };
  return new Proxy(em, { get: (target, name) => (name === 'query' ? query : (Reflect.get(target, name) as unknown)) });
}

it('a refund of a plan reads neither the other payments of its user nor the other entries of the wallet', async () => {
  const notices = { notify: () => Promise.resolve() } as unknown as PlanNoticesService;
  const paid = new PaidSubscriptionsService(test.dataSource, {} as PlanGrantsService, notices);
  const clawbacks = new ClawbacksService(test.wallets, test.ledger, paid);
  const plans: string[] = [];
  await test.dataSource.transaction(async (em) => {
    const [payment] = await em.query<[PaymentRow]>(`SELECT ${PAYMENT_COLUMNS} FROM payments p WHERE id = 'pay_0'`);
    await clawbacks.clawBackCredits(explaining(em, plans), payment, { kind: 'refund', id: 'refund' });
  });
  const used = plans.join('\n');
  expect(used).toMatch(/payments_subscription_idx/);
  expect(used).toMatch(/ledger_entries_grants_idx/);
  expect(used).not.toMatch(
    /payments_user_idx|Seq Scan on (payments|ledger_entries)|Index Cond: \(\(?wallet_id = [^()]*\)?\)$/m,
  );
});
