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
  run: (standIn: FakeStripe, given: ControlInput) => unknown;
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
    run: (standIn, given) => {
      standIn.plan(
        given.pattern('request'),
        faultOf(given),
        given.has('times') ? given.whole('times', 1, MOST_TIMES) : 1,
      );
      return describeState(standIn);
    },
  },
  'DELETE /_control/faults': {
    fields: [],
    run: (standIn) => {
      standIn.faults.clear();
      return describeState(standIn);
    },
  },
  'POST /_control/webhooks': {
    fields: ['url', 'secrets', 'copies', 'delayMs', 'shuffles', 'signsWrongly', 'retriesAfterMs'],
    run: (standIn, given) => {
      Object.assign(standIn.webhooks.settings, settingsOf(given));
      return describeState(standIn);
    },
  },
  'POST /_control/clock': {
    fields: ['ahead'],
    run: (standIn, given) => {
      standIn.state.ahead = given.whole('ahead', 0, FURTHEST_SECONDS);
      return describeState(standIn);
    },
  },
  'POST /_control/authenticate': {
    fields: ['id', 'succeeds'],
    run: (standIn, given) => standIn.authenticate(given.text('id'), given.flag('succeeds', true)),
  },
  'POST /_control/finish-processing': {
    fields: ['id', 'succeeds'],
    run: (standIn, given) => standIn.finishProcessing(given.text('id'), given.flag('succeeds', true)),
  },
  'POST /_control/fail-refund': { fields: ['id'], run: (standIn, given) => standIn.failRefund(given.text('id')) },
  'POST /_control/open-dispute': {
    fields: ['charge', 'amount', 'reason'],
    run: (standIn, given) =>
      standIn.openDispute(given.text('charge'), {
        ...(given.has('amount') && { amount: given.whole('amount', 1, MOST_CENTS) }),
        ...(given.has('reason') && { reason: given.oneOf('reason', DISPUTE_REASONS) }),
      }),
  },
  'POST /_control/close-dispute': {
    fields: ['id', 'outcome'],
    run: (standIn, given) => standIn.closeDispute(given.text('id'), given.oneOf('outcome', ['won', 'lost'])),
  },
  'POST /_control/delete-all-data': {
    fields: [],
    run: (standIn) => {
      standIn.deleteAllData();
      return describeState(standIn);
    },
  },
  'POST /_control/redeliver': { fields: ['id'], run: (standIn, given) => standIn.redeliver(given.text('id')) },
};

/**
 * Runs the operation of a control request, which needs the secret key, and answers with its result.
 * Errors are answers, too: 401 without the key, 404 for an unknown operation, and 400 or the status
 * of Stripe's error if the operation fails.
 *
 * @param line method and path, such as `POST /_control/clock`
 */
export function handleControlRequest(
  standIn: FakeStripe,
  line: string,
  authorization: string | undefined,
  body: string,
): Answer {
  try {
    if (!isSellerKey(authorization)) throw new ControlRefusal(401, 'Say the secret key, as Authorization: Bearer.');
    const operation = Object.hasOwn(OPERATIONS, line) ? OPERATIONS[line] : undefined;
    if (!operation) throw new ControlRefusal(404, `There is no ${line}, but ${Object.keys(OPERATIONS).join(', ')}.`);
    return json(200, operation.run(standIn, ControlInput.parse(body, operation.fields)));
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
  if (kind === 'slow') return { kind, ms: fault.whole('ms', 1, LONGEST_MS) };
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
    ...(given.has('copies') && { copies: given.whole('copies', 0, 100) }),
    ...(given.has('delayMs') && { delayMs: given.whole('delayMs', 0, LONGEST_MS) }),
    ...(given.has('shuffles') && { shuffles: given.flag('shuffles', false) }),
    ...(given.has('signsWrongly') && { signsWrongly: given.flag('signsWrongly', false) }),
    ...(given.has('retriesAfterMs') && { retriesAfterMs: given.wholes('retriesAfterMs', 0, LONGEST_MS) }),
  };
}

const json = (status: number, body: unknown): Answer => ({
  status,
  headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' },
  body: `${JSON.stringify(body, null, 2)}\n`,
});
