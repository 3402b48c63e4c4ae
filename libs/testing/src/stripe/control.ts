import { StripeApiError } from './stripe-api-error.js';
import { ControlInput, ControlRefusal } from './control-input.js';
import { DISPUTE_REASONS } from './disputes.js';
import { FAULT_KINDS, FAULT_STATUSES, type Fault } from './faults.js';
import { isSellerKey } from './keys.js';
import type { Answer } from './pages.js';
import type { FakeStripe } from './fake-stripe.js';
import type { WebhookSettings } from './fake-stripe-webhooks.js';

interface Operation {
  /** Allowed fields of the body. */
  fields: readonly string[];
  run: (fake: FakeStripe, given: ControlInput) => unknown;
}

const LONGEST_MS = 10 * 60 * 1_000;
const MOST_TIMES = 1_000_000;
const FURTHEST_SECONDS = 10 * 366 * 24 * 60 * 60;
const MOST_CENTS = 99_999_999;

/** Operations of the fake for tests in other processes: `POST /_control/{operation}`. */
const OPERATIONS: Record<string, Operation> = {
  'GET /_control': { fields: [], run: describeState },
  'POST /_control/faults': {
    fields: ['request', 'fault', 'times'],
    run: (fake, given) => {
      fake.planFault(
        given.pattern('request'),
        faultOf(given),
        given.has('times') ? given.integer('times', 1, MOST_TIMES) : 1,
      );
      return describeState(fake);
    },
  },
  'DELETE /_control/faults': {
    fields: [],
    run: (fake) => {
      fake.faults.clear();
      return describeState(fake);
    },
  },
  'POST /_control/webhooks': {
    fields: ['url', 'secrets', 'copies', 'delayMs', 'shuffles', 'signsWrongly', 'retriesAfterMs'],
    run: (fake, given) => {
      Object.assign(fake.webhooks.settings, settingsOf(given));
      return describeState(fake);
    },
  },
  'POST /_control/clock': {
    fields: ['ahead'],
    run: (fake, given) => {
      fake.state.ahead = given.integer('ahead', 0, FURTHEST_SECONDS);
      return describeState(fake);
    },
  },
  'POST /_control/authenticate': {
    fields: ['id', 'succeeds'],
    run: (fake, given) => fake.authenticate(given.text('id'), given.flag('succeeds', true)),
  },
  'POST /_control/finish-processing': {
    fields: ['id', 'succeeds'],
    run: (fake, given) => fake.finishProcessing(given.text('id'), given.flag('succeeds', true)),
  },
  'POST /_control/fail-refund': { fields: ['id'], run: (fake, given) => fake.failRefund(given.text('id')) },
  'POST /_control/open-dispute': {
    fields: ['charge', 'amount', 'reason'],
    run: (fake, given) =>
      fake.openDispute(given.text('charge'), {
        ...(given.has('amount') && { amount: given.integer('amount', 1, MOST_CENTS) }),
        ...(given.has('reason') && { reason: given.oneOf('reason', DISPUTE_REASONS) }),
      }),
  },
  'POST /_control/close-dispute': {
    fields: ['id', 'outcome'],
    run: (fake, given) => fake.closeDispute(given.text('id'), given.oneOf('outcome', ['won', 'lost'])),
  },
  'POST /_control/delete-all-data': {
    fields: [],
    run: (fake) => {
      fake.deleteAllData();
      return describeState(fake);
    },
  },
  'POST /_control/redeliver': { fields: ['id'], run: (fake, given) => fake.redeliver(given.text('id')) },
};

/**
 * Runs the operation of a control request, which needs the secret key, and answers with its result.
 * Errors are answers, too: 401 without the key, 404 for an unknown operation, and 400 or the status
 * of Stripe's error if the operation fails.
 *
 * @param line method and path, such as `POST /_control/clock`
 */
export function handleControlRequest(
  fake: FakeStripe,
  line: string,
  authorization: string | undefined,
  body: string,
): Answer {
  try {
    if (!isSellerKey(authorization)) throw new ControlRefusal(401, 'Say the secret key, as Authorization: Bearer.');
    const operation = Object.hasOwn(OPERATIONS, line) ? OPERATIONS[line] : undefined;
    if (!operation) throw new ControlRefusal(404, `There is no ${line}, but ${Object.keys(OPERATIONS).join(', ')}.`);
    return json(200, operation.run(fake, ControlInput.parse(body, operation.fields)));
  } catch (error) {
    if (!(error instanceof ControlRefusal || error instanceof StripeApiError)) throw error;
    return json(error.status, { detail: error.message });
  }
}

/** Planned faults, webhook settings and time: the answer of most operations. */
function describeState({ faults, webhooks, state }: FakeStripe): object {
  return {
    faults: faults.list().map(({ request, fault, times }) => ({ request: request.source, fault, times })),
    webhooks: webhooks.settings,
    ahead: state.ahead,
    now: state.now(),
  };
}

function faultOf(given: ControlInput): Fault {
  const fault = given.object('fault', ['kind', 'ms', 'status']);
  const kind = fault.oneOf('kind', FAULT_KINDS);
  if (kind === 'slow') return { kind, ms: fault.integer('ms', 1, LONGEST_MS) };
  if (kind === 'answer') return { kind, status: fault.oneOf('status', FAULT_STATUSES) };
  return { kind };
}

/**
 * Reads the webhook settings that the body gives.
 *
 * @throws ControlRefusal 400 if a value is not valid
 */
function settingsOf(given: ControlInput): Partial<WebhookSettings> {
  return {
    ...(given.has('url') && { url: given.address('url') }),
    ...(given.has('secrets') && { secrets: given.texts('secrets') }),
    ...(given.has('copies') && { copies: given.integer('copies', 0, 100) }),
    ...(given.has('delayMs') && { delayMs: given.integer('delayMs', 0, LONGEST_MS) }),
    ...(given.has('shuffles') && { shuffles: given.flag('shuffles', false) }),
    ...(given.has('signsWrongly') && { signsWrongly: given.flag('signsWrongly', false) }),
    ...(given.has('retriesAfterMs') && { retriesAfterMs: given.integers('retriesAfterMs', 0, LONGEST_MS) }),
  };
}

const json = (status: number, body: unknown): Answer => ({
  status,
  headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' },
  body: `${JSON.stringify(body, null, 2)}\n`,
});
