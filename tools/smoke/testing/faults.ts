import type { PayingPlatform } from './paying-platform.js';

type Numbers = (below: number) => number;

/** Requests of the gateway to the provider. */
const REQUESTS = [
  '^POST /v1/payment_intents$',
  '^POST /v1/payment_intents$',
  '^GET /v1/payment_intents/',
  '^GET /v1/payment_intents$',
  '^POST /v1/payment_intents/\\w+/cancel$',
  '^POST /v1/refunds$',
  '^GET /v1/(refunds|disputes)',
  '^GET /v1/payment_methods/',
];

/** Number of attempts of the gateway; as many faults leave it without an answer. */
const TRIES = 3;

/**
 * Plans a random fault for one of the next requests to the provider: connection lost before or
 * after the work, refused, failed or slow.
 */
export async function planFault(platform: PayingPlatform, random: Numbers): Promise<void> {
  const faults = [
    { kind: 'lost_before' },
    { kind: 'lost_after' },
    { kind: 'lost_after' },
    { kind: 'answer', status: 429 },
    { kind: 'answer', status: 409 },
    { kind: 'answer', status: 500 },
    { kind: 'slow', ms: 200 + random(1_500) },
  ];
  const request = REQUESTS[random(REQUESTS.length)];
  await platform.control('faults', { request, fault: faults[random(faults.length)], times: random(3) ? 1 : TRIES });
}

/** Sets a random delivery of events: once, several times, reordered, late, or lost. */
export async function changeWebhooks(platform: PayingPlatform, random: Numbers): Promise<void> {
  const ways = [
    { copies: 1, shuffles: false, delayMs: 0 },
    { copies: 2, shuffles: true, delayMs: 20 },
    { copies: 3, shuffles: true, delayMs: 200 },
    { copies: 0 },
  ];
  await platform.control('webhooks', { retriesAfterMs: [100, 500, 2_000], ...ways[random(ways.length)] });
}

/** Ends all faults, and delivers each event. */
export async function endFaults(platform: PayingPlatform): Promise<void> {
  await platform.control('faults', undefined, 'DELETE');
  await platform.control('webhooks', { copies: 1, shuffles: false, delayMs: 0, retriesAfterMs: [100, 500, 2_000] });
}
