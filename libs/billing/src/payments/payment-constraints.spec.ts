import { deleteExpired } from '@platform/persistence';
import { newId } from '@platform/platform';
import { seedPlans } from '../plans/seed-plans.js';
import { LedgerTest } from '../testing/ledger-test.js';
import { OLD_UNPAID_PAYMENTS } from './payment.entity.js';

/** Constraints of the database on payments. */
let test: LedgerTest;
let user: string;
const SUBSCRIPTION = newId('sub');
beforeAll(async () => {
  test = await LedgerTest.start();
  user = await test.createUser();
  await seedPlans(test.dataSource);
  await test.query(
    `INSERT INTO subscriptions (id, tenant_id, user_id, plan_id, plan_version, status, started_at, anchor_at, period_number, period_starts_at, period_ends_at)
     VALUES ($1, 'default', $2, 'pro', 1, 'incomplete', now(), now(), 1, now(), now() + interval '1 month')`,
    [SUBSCRIPTION, user],
  );
});
afterAll(() => test.stop());

/** SQL by column. */
type Values = Record<string, string>;

async function insert(changes: Values = {}): Promise<string> {
  const id = newId('pay');
  const values = {
    ...{
      id: `'${id}'`,
      tenant_id: `'default'`,
      user_id: `'${user}'`,
      purpose: `'topup'`,
      scope: `'${id}'`,
      status: `'failed'`,
    },
    ...{
      amount_cents: '1000',
      currency: `'usd'`,
      credits: '10000',
      is_live: 'false',
      completed_at: 'now()',
      ...changes,
    },
  };
  await test.query(
    `INSERT INTO payments (${Object.keys(values).join(', ')}) VALUES (${Object.values(values).join(', ')})`,
  );
  return id;
}

const PLAN: Values = { subscription_id: `'sub_x'`, plan_id: `'pro'`, plan_version: '1', period_number: '1' };

it.each<[string, Values, string]>([
  ['a plan of a top-up', { plan_id: `'pro'` }, 'payments_plan_check'],
  ['a renewal of no plan', { purpose: `'renewal'` }, 'payments_plan_check'],
  ['a checkout of half a plan', { ...PLAN, purpose: `'checkout'`, plan_version: 'NULL' }, 'payments_plan_check'],
  ['a checkout for a subscription that is not', { ...PLAN, purpose: `'checkout'` }, 'payments_subscription_fkey'],
  [
    'a checkout of a version of a plan that there is not',
    { ...PLAN, purpose: `'checkout'`, subscription_id: `'${SUBSCRIPTION}'`, plan_version: '99' },
    'payments_plan_fkey',
  ],
  ['a top-up from a plan', { from_plan_id: `'pro'`, from_plan_version: '1' }, 'payments_from_plan_check'],
  [
    'an upgrade from half a plan',
    { ...PLAN, purpose: `'upgrade'`, subscription_id: `'${SUBSCRIPTION}'`, from_plan_id: `'starter'` },
    'payments_from_plan_check',
  ],
  [
    'an upgrade from no plan',
    { ...PLAN, purpose: `'upgrade'`, subscription_id: `'${SUBSCRIPTION}'` },
    'payments_from_plan_check',
  ],
  ['a top-up of nothing', { credits: '0' }, 'payments_topup_check'],
  ['a payment by a saved card that is none', { is_off_session: 'true' }, 'payments_card_check'],
  ['one that is over since never', { completed_at: 'NULL' }, 'payments_completed_check'],
  ['one that is over and is not', { status: `'open'` }, 'payments_completed_check'],
])('%s is refused', async (_what, values, constraint) => {
  await expect(insert(values)).rejects.toThrow(constraint);
});

const PAID: Values = { status: `'succeeded'`, provider_intent_id: `'${newId('pi')}'` };

it.each<[string, Values, string]>([
  ['another amount', {}, 'amount_cents = 2000'],
  ['other credits', {}, 'credits = 20000'],
  ['another currency', {}, `currency = 'eur'`],
  ['real money instead of a test', {}, 'is_live = true'],
  ['another purpose', {}, `purpose = 'auto_topup'`],
  ['another scope', {}, `scope = 'renew:sub_x:1'`],
  ['another payment of the provider', PAID, `provider_intent_id = 'pi_other'`],
  ['no payment of the provider', { ...PAID, status: `'failed'` }, 'provider_intent_id = NULL'],
  ['another request', { request_id: `'one'` }, `request_id = 'other'`],
  ['that it was not paid', PAID, `status = 'failed'`],
  ['that it is open again', {}, `status = 'open', completed_at = NULL`],
  ['that it was canceled, and not declined', {}, `status = 'canceled'`],
])('%s is refused afterwards', async (_what, values, change) => {
  const id = await insert({
    ...values,
    ...(values['provider_intent_id'] && { provider_intent_id: `'${newId('pi')}'` }),
  });
  await expect(test.query(`UPDATE payments SET ${change} WHERE id = '${id}'`)).rejects.toThrow(
    'a payment stays what it is',
  );
});

it('another plan that its price counts from is refused afterwards', async () => {
  const from = { from_plan_id: `'starter'`, from_plan_version: '1' };
  const id = await insert({ ...PLAN, ...from, purpose: `'upgrade'`, subscription_id: `'${SUBSCRIPTION}'` });
  for (const change of [`from_plan_id = 'free'`, 'from_plan_version = 2'])
    await expect(test.query(`UPDATE payments SET ${change} WHERE id = '${id}'`)).rejects.toThrow(
      'never changed or removed',
    );
  const none = 'from_plan_id = NULL, from_plan_version = NULL';
  await expect(test.query(`UPDATE payments SET ${none} WHERE id = '${id}'`)).rejects.toThrow(
    'payments_from_plan_check',
  );
});

it.each<[string, Values]>([
  ['that was not paid, and ended less than 180 days ago', { completed_at: `now() - interval '179 days'` }],
  ['that is open', { status: `'open'`, completed_at: 'NULL' }],
  ['that was paid, however long ago', { ...PAID, completed_at: `now() - interval '10 years'` }],
])('removing one %s is refused', async (_what, values) => {
  const id = await insert({
    ...values,
    ...(values['provider_intent_id'] && { provider_intent_id: `'${newId('pi')}'` }),
  });
  await expect(test.query(`DELETE FROM payments WHERE id = '${id}'`)).rejects.toThrow(
    'this payment may not be removed',
  );
});

describe('old payments that came to nothing', () => {
  const old: Values = { completed_at: `now() - interval '182 days'` };
  const left = async (ids: string[]) =>
    (await test.query<{ id: string }>('SELECT id FROM payments WHERE id = ANY ($1)', [ids])).map(({ id }) => id).sort();

  it('are removed with their mails; the others stay', async () => {
    const gone = [await insert(old), await insert({ ...old, status: `'canceled'` })];
    await test.query(`INSERT INTO payment_mails (payment_id, status) VALUES ('${gone[0]}', 'failed')`);
    const stay = [
      await insert({ completed_at: `now() - interval '179 days'` }),
      await insert({ ...old, ...PAID, provider_intent_id: `'${newId('pi')}'` }),
    ].sort();
    await deleteExpired(test.dataSource, OLD_UNPAID_PAYMENTS);
    expect(await left([...gone, ...stay])).toEqual(stay);
    expect(await test.query(`SELECT FROM payment_mails WHERE payment_id = '${gone[0]}'`)).toEqual([]);
  });

  it('stay where a refund or a dispute names them', async () => {
    const stay = [await insert(old), await insert(old)].sort();
    await test.query(
      `INSERT INTO payment_refunds (id, tenant_id, payment_id, number, amount_cents, reason, status, completed_at)
       VALUES ('${newId('ref')}', 'default', '${stay[0]}', 1, 1000, 'provider', 'failed', now())`,
    );
    await test.query(
      `INSERT INTO payment_disputes (id, tenant_id, payment_id, provider_dispute_id, amount_cents, status, reason, created_at)
       VALUES ('${newId('dis')}', 'default', '${stay[1]}', '${newId('dp')}', 1000, 'warning_closed', 'fraudulent', now())`,
    );
    await deleteExpired(test.dataSource, OLD_UNPAID_PAYMENTS);
    expect(await left(stay)).toEqual(stay);
  });
});

it('removing all at once is refused', async () => {
  await expect(test.query('TRUNCATE payments CASCADE')).rejects.toThrow('never changed or removed');
});

it('what was given up may still be paid, under a scope of its own', async () => {
  const id = await insert();
  await test.query(
    `UPDATE payments SET status = 'succeeded', provider_intent_id = id, scope = 'again:' || id, request_id = NULL WHERE id = '${id}'`,
  );
  expect(await test.query(`SELECT status FROM payments WHERE id = '${id}'`)).toEqual([{ status: 'succeeded' }]);
});
