import { randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type Stripe from 'stripe';

export interface Objects {
  customer: Stripe.Customer | Stripe.DeletedCustomer;
  payment_method: Stripe.PaymentMethod;
  payment_intent: Stripe.PaymentIntent;
  setup_intent: Stripe.SetupIntent;
  charge: Stripe.Charge;
  refund: Stripe.Refund;
  event: Stripe.Event;
  /** What was answered to a request with an idempotency key. */
  replay: Replay;
}

export interface Replay {
  id: string;
  /** Of method, path and parameters. */
  hash: string;
  /** In seconds; forgotten after 24 hours. */
  created: number;
  status: number;
  body: string;
}

const PREFIXES = {
  customer: 'cus',
  payment_method: 'pm',
  payment_intent: 'pi',
  setup_intent: 'seti',
  charge: 'ch',
  refund: 're',
  event: 'evt',
  replay: 'idem',
} as const;
export type Kind = keyof Objects;

/**
 * The objects of one account, in the order in which they were made. With a file each change is a line of it, written before anybody hears of the change, so that
 * a stand-in that is killed goes on where it was.
 */
export class State {
  /** Seconds by which the time is ahead of that of the machine. */
  ahead = 0;
  private readonly objects = new Map<Kind, Map<string, Objects[Kind]>>();

  constructor(private readonly file?: string) {
    if (!file || !existsSync(file)) return;
    for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
      const { kind, object } = JSON.parse(line) as { kind: Kind; object: Objects[Kind] };
      this.of(kind).set(object.id, object);
    }
  }

  /** In seconds, as Stripe has times. */
  now(): number {
    return Math.floor(Date.now() / 1000) + this.ahead;
  }

  newId(kind: Kind): string {
    return `${PREFIXES[kind]}_${randomBytes(12).toString('hex')}`;
  }

  find<K extends Kind>(kind: K, id: string): Objects[K] | undefined {
    return this.of(kind).get(id);
  }

  /** The newest first. */
  list<K extends Kind>(kind: K): Objects[K][] {
    return [...this.of(kind).values()].reverse();
  }

  put<K extends Kind>(kind: K, object: Objects[K]): Objects[K] {
    if (this.file) appendFileSync(this.file, `${JSON.stringify({ kind, object })}\n`);
    this.of(kind).set(object.id, object);
    return object;
  }

  private of<K extends Kind>(kind: K): Map<string, Objects[K]> {
    const found = this.objects.get(kind) ?? new Map<string, Objects[Kind]>();
    this.objects.set(kind, found);
    return found as Map<string, Objects[K]>;
  }
}
