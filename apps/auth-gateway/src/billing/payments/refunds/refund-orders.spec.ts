import { DisputesService, LedgerService, RefundsService, WalletsRepository } from '@platform/billing';
import type { CheckoutResponse, TopUpResponse } from '@platform/contracts';
import { newId } from '@platform/platform';
import fc from 'fast-check';
import { GatewayWithPayments } from '../../../testing/gateway-with-payments.js';
import { ledgerProblems } from '../../../testing/wallets.js';

/**
 * Refunds and disputes of one payment, which the gateway reads in any order, late, twice and
 * concurrently.
 */
let test: GatewayWithPayments;
beforeAll(async () => {
  test = await GatewayWithPayments.start();
  await test.stopWebhooks();
});
afterEach(async () => {
  expect(await ledgerProblems(test.gateway)).toEqual([]);
});
afterAll(() => test.stop());

const SEED = 20_261_129;
const RUNS = 30;
const TOPUP = { cents: 1_000, credits: 10_000 };
/** Plan `pro`: its credits are not a multiple of its cents. */
const PLAN = { cents: 2_900, credits: 30_000 };

/**
 * `which` is taken modulo the number of objects. The provider refuses some actions, which then
 * change nothing.
 */
type Action =
  | { kind: 'refund'; cents: number }
  | { kind: 'fail' | 'lose' | 'win'; which: number }
  | { kind: 'dispute'; cents: number }
  | { kind: 'spend'; credits: number }
  | { kind: 'hear'; which: number[] };

/** Parts of all sizes, and the whole amount. */
const cents = fc.oneof(fc.integer({ min: 1, max: PLAN.cents }), fc.constantFrom(500, TOPUP.cents, PLAN.cents));
const which = fc.nat(7);
const action = fc.oneof<fc.Arbitrary<Action>[]>(
  fc.record({ kind: fc.constant('refund' as const), cents }),
  fc.record({ kind: fc.constantFrom('fail' as const, 'lose' as const, 'win' as const, 'win' as const), which }),
  fc.record({ kind: fc.constant('dispute' as const), cents }),
  fc.record({ kind: fc.constant('spend' as const), credits: fc.integer({ min: 1, max: TOPUP.credits }) }),
  fc.record({ kind: fc.constant('hear' as const), which: fc.array(which, { minLength: 1, maxLength: 3 }) }),
);

/** A successful payment of a new user. */
class Paid {
  private spent = 0;

  private constructor(
    private readonly what: typeof TOPUP,
    private readonly intentId: string,
    private readonly walletId: string,
  ) {}

  static async topup(): Promise<Paid> {
    const { id: userId } = await test.gateway.user();
    const request = { tokens: TOPUP.credits, price_cents: TOPUP.cents };
    const { body } = await test.gateway.actingFor(userId).post<TopUpResponse>('/v1/billing/topup', request);
    return Paid.pay(userId, TOPUP, '/v1/billing/topup/confirm', body);
  }

  static async plan(): Promise<Paid> {
    const { id: userId } = await test.gateway.user();
    const { body } = await test.gateway
      .actingFor(userId)
      .post<CheckoutResponse>('/v1/billing/checkout', { plan_id: 'pro' });
    return Paid.pay(userId, PLAN, '/v1/billing/checkout/confirm', body);
  }

  private static async pay(
    userId: string,
    what: typeof TOPUP,
    path: string,
    begun: TopUpResponse | CheckoutResponse,
  ): Promise<Paid> {
    const { payment_intent_id, client_secret } = begun;
    expect(await test.pay(payment_intent_id, client_secret)).toBe('succeeded');
    expect((await test.gateway.actingFor(userId).post(path, { payment_intent_id })).status).toBe(200);
    return new Paid(
      what,
      payment_intent_id,
      await test.gateway.service.app.get(WalletsRepository).ensureWallet(userId),
    );
  }

  async run(one: Action): Promise<void> {
    if (one.kind === 'spend') await this.spend(one.credits);
    else if (one.kind === 'hear') {
      const all = this.objects;
      if (all.length) await this.hear(one.which.map((at) => all[at % all.length] ?? ''));
    } else await this.atProvider(one);
  }

  /** Reads all refunds and disputes, beginning with the object at `first`, then all once more. */
  async finish(first: number): Promise<void> {
    const all = this.objects;
    const start = all.length ? first % all.length : 0;
    const inOrder = [...all.slice(start), ...all.slice(0, start)];
    for (const id of [...inOrder, ...inOrder.reverse()]) await this.hear([id]);
    const { taken } = await this.taken();
    const due = this.dueOf(this.centsGone);
    expect(taken).toBe(due);
    if (this.what !== TOPUP) return; // users without a plan get the free plan's credits
    const [wallet] = await test.gateway.service.query<{ balance: string; debt: string }>(
      'SELECT balance, debt FROM wallets WHERE id = $1',
      [this.walletId],
    );
    expect(Number(wallet?.balance) - Number(wallet?.debt)).toBe(this.what.credits - this.spent - due);
  }

  private dueOf(gone: number): number {
    const { cents, credits } = this.what;
    return Math.floor((credits * Math.min(gone, cents)) / cents);
  }

  private async atProvider(one: Exclude<Action, { kind: 'spend' | 'hear' }>): Promise<void> {
    const { state } = test.stripe;
    const pick = <One extends { id: string }>(all: One[]) =>
      'which' in one && all.length ? (all[one.which % all.length]?.id ?? '') : '';
    try {
      if (one.kind === 'refund')
        await test.stripe.createObject('refunds', { payment_intent: this.intentId, amount: String(one.cents) });
      else if (one.kind === 'dispute') {
        const charge = state.find('charge', state.find('payment_intent', this.intentId)?.latest_charge as string);
        // Banks can open another dispute after one was won.
        if (charge && this.disputes.every(({ status }) => status === 'won'))
          state.put('charge', { ...charge, disputed: false });
        test.stripe.openDispute(charge?.id ?? '', { amount: one.cents });
      } else if (one.kind === 'fail') test.stripe.failRefund(pick(this.refunds));
      else test.stripe.closeDispute(pick(this.disputes), one.kind === 'win' ? 'won' : 'lost');
    } catch (error) {
      if (!/^(The fake refused|This (refund|dispute) has|No such|Of charge|Charge )/.test((error as Error).message))
        throw error;
    }
  }

  private async spend(credits: number): Promise<void> {
    const { outcome } = await test.gateway.service.app
      .get(LedgerService)
      .debit(this.walletId, { key: newId('test'), amount: credits, kind: 'call_charge' });
    if (outcome === 'done') this.spent += credits;
    else expect(['insufficient', 'in_debt']).toContain(outcome);
  }

  /** Reads these objects; the credits taken must match the money that the gateway knows about. */
  private async hear(ids: string[]): Promise<void> {
    const { app } = test.gateway.service;
    await Promise.all(
      ids.map((id) =>
        id.startsWith('re_') ? app.get(RefundsService).refreshRefund(id) : app.get(DisputesService).refreshDispute(id),
      ),
    );
    const { taken, due } = await this.taken();
    expect(taken).toBe(due);
  }

  private async taken(): Promise<{ taken: number; due: number }> {
    const [row] = await test.gateway.service.query<{ taken: number; gone: number }>(
      `SELECT coalesce(sum(credits), 0)::int AS taken, coalesce(sum(cents), 0)::int AS gone FROM (
         SELECT r.credits, CASE WHEN r.status = 'succeeded' THEN r.amount_cents ELSE 0 END AS cents
         FROM payment_refunds r JOIN payments p ON p.id = r.payment_id WHERE p.provider_intent_id = $1
         UNION ALL SELECT d.credits, CASE WHEN d.status IN ('needs_response', 'under_review', 'lost') THEN d.amount_cents ELSE 0 END
         FROM payment_disputes d JOIN payments p ON p.id = d.payment_id WHERE p.provider_intent_id = $1
       ) AS going`,
      [this.intentId],
    );
    return { taken: row?.taken ?? 0, due: this.dueOf(row?.gone ?? 0) };
  }

  private get refunds() {
    return test.stripe.state.list('refund').filter(({ payment_intent }) => payment_intent === this.intentId);
  }

  private get disputes() {
    return test.stripe.state.list('dispute').filter(({ payment_intent }) => payment_intent === this.intentId);
  }

  private get objects(): string[] {
    return [...this.refunds, ...this.disputes].map(({ id }) => id);
  }

  private get centsGone(): number {
    const gone = [
      ...this.refunds.filter(({ status }) => status === 'succeeded'),
      ...this.disputes.filter(({ status }) => status !== 'won'),
    ];
    return gone.reduce((sum, { amount }) => sum + amount, 0);
  }
}

it.each([
  ['a top-up', () => Paid.topup(), RUNS],
  ['a plan', () => Paid.plan(), RUNS / 2],
] as const)(
  'of %s take what the money says, whatever happens and in whatever order it is heard',
  async (_what, pay, runs) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(action, { minLength: 6, maxLength: 24, size: 'max' }),
        which,
        async (actions, first) => {
          const paid = await pay();
          for (const one of actions) await paid.run(one);
          await paid.finish(first);
        },
      ),
      { seed: SEED, numRuns: runs },
    );
  },
);
