import { createHmac, randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { measured } from '../comparing/comparison.js';
import { CONNECTIONS } from '../identity/me.js';
import { load, type HttpRequest } from '../load/http.js';
import type { Measurement } from '../measurement.js';
import type { BenchPlatform } from '../platform/bench-platform.js';

const BAR = 0.35;
/** Upper limit for the 99th percentile of the time until an event is acknowledged. */
const LARGEST_P99_MS = 50;
const SECRET = 'whsec_bench';

interface Kind {
  what: string;
  type: string;
  /** Name of a separate database for this measurement. */
  database: string;
}

/**
 * Compares the durable acknowledgement of an event of the payment provider with the minimum work of
 * a receiver. All events are different. The gateway runs no workers here: the effects of an event
 * follow its acknowledgement, and would need a real provider.
 */
const acknowledged = ({ what, type, database }: Kind): Measurement => {
  const subject = `POST /v1/webhooks/stripe, ${what}`;
  const baseline = 'a bare Express receiver with HMAC and one INSERT';
  return {
    title: `${subject} against ${baseline}`,
    async measure(context) {
      /** Times of each slice of the subject, in milliseconds. The first slices are the warm-up. */
      const slices: number[][] = [];
      const prepare = async (platform: BenchPlatform) => {
        const databaseUrl = await platform.createDatabase(database);
        await addTable(databaseUrl);
        const env = { WORKERS: 'off', STRIPE_WEBHOOK_SECRETS: SECRET };
        const gateway = await platform.startService('auth-gateway', { databaseUrl, env });
        const bare = await platform.startBarePaymentWebhook(databaseUrl, SECRET);
        return {
          baseline: (milliseconds: number) => load(bare.url, CONNECTIONS, milliseconds, (send) => send(eventOf(type))),
          subject: (milliseconds: number) => {
            const taken: number[] = [];
            slices.push(taken);
            return load(gateway.url, CONNECTIONS, milliseconds, async (send) => {
              const request = eventOf(type);
              const began = performance.now();
              await send(request);
              taken.push(performance.now() - began);
            });
          },
          stop: () => Promise.all([gateway.stop(), bare.stop()]),
        };
      };
      const compared = await measured({ subject, baseline, bar: BAR, prepare }).measure(context);
      const counted = slices.slice(-2 * context.rounds).flat(); // each round has two slices
      const p99 = percentile(counted, 0.99);
      return {
        ...compared,
        text: `${subject}: p50 ${percentile(counted, 0.5).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms on ${CONNECTIONS} connections (bar: < ${LARGEST_P99_MS} ms)`,
        isReached: compared.isReached && p99 < LARGEST_P99_MS,
        figures: [...compared.figures, p99],
      };
    },
  };
};

export const paymentWebhook: readonly Measurement[] = [
  acknowledged({ what: 'of a payment', type: 'payment_intent.succeeded', database: 'events_of_payments' }),
  acknowledged({ what: 'only stored', type: 'product.updated', database: 'events_only_stored' }),
];

async function addTable(databaseUrl: string): Promise<void> {
  const client = new Client(databaseUrl);
  await client.connect();
  try {
    await client.query('CREATE SCHEMA IF NOT EXISTS bench');
    await client.query(
      'CREATE TABLE bench.inbound_events (event_id text PRIMARY KEY, type text NOT NULL, received_at timestamptz NOT NULL DEFAULT now())',
    );
  } finally {
    await client.end();
  }
}

let events = 0;
const RUN = randomBytes(6).toString('hex');
/** Makes an event as long as Stripe's for a payment. */
const PADDING = Object.fromEntries(
  Array.from({ length: 60 }, (_value, at) => [`field_of_a_payment_${at}`, at % 3 ? null : `value ${at}`]),
);

/** Creates a new event with a signature like Stripe's. */
function eventOf(type: string): HttpRequest {
  const number = `${RUN}${(events++).toString(36).padStart(8, '0')}`;
  const object = {
    id: `pi_${number}`,
    object: type.split('.')[0],
    amount: 1_000,
    currency: 'usd',
    status: 'succeeded',
    ...PADDING,
  };
  const body = JSON.stringify({
    id: `evt_${number}`,
    object: 'event',
    api_version: '2026-10-28.endive',
    created: Math.floor(Date.now() / 1_000),
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  });
  const time = Math.floor(Date.now() / 1_000);
  const signature = createHmac('sha256', SECRET).update(`${time}.${body}`).digest('hex');
  return {
    method: 'POST',
    path: '/v1/webhooks/stripe',
    headers: { 'Stripe-Signature': `t=${time},v1=${signature}` },
    text: body,
  };
}

function percentile(times: readonly number[], part: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * part)] ?? Number.NaN;
}
