import { randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type Stripe from 'stripe';

export interface Objects {
  customer: Stripe.Customer | Stripe.DeletedCustomer;
  payment_method: Stripe.PaymentMethod;
  payment_intent: Stripe.PaymentIntent;
  setup_intent: Stripe.SetupIntent;
  charge: Stripe.Charge;
  refund: Stripe.Refund;
  dispute: Stripe.Dispute;
  balance_transaction: Stripe.BalanceTransaction;
  tax_id: Stripe.TaxId | Stripe.DeletedTaxId;
  portal_session: Stripe.BillingPortal.Session;
  event: Stripe.Event;
  /** Answer to a request with an idempotency key. */
  replay: Replay;
}

export interface Replay {
  id: string;
  /** Hash of method, path and parameters. */
  hash: string;
  /** Seconds since 1970. The answer is deleted after 24 hours. */
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
  dispute: 'dp',
  balance_transaction: 'txn',
  tax_id: 'txi',
  portal_session: 'bps',
  event: 'evt',
  replay: 'idem',
} as const;
export type Kind = keyof Objects;

/**
 * Objects of one account, in order of creation. With a file, each change is appended as a line
 * before the change is visible, so that a killed fake continues from its last state.
 */
export class FakeStripeState {
  /** Seconds by which the fake's clock is ahead of the machine's clock. */
  ahead = 0;
  private readonly objects = new Map<Kind, Map<string, Objects[Kind]>>();

  constructor(private readonly file?: string) {
    if (!file) return;
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
    for (const { kind, object } of lines.flatMap(parse)) this.of(kind).set(object.id, object);
    this.rewrite(file);
  }

  /** Seconds since 1970, as in Stripe's API. */
  now(): number {
    return Math.floor(Date.now() / 1000) + this.ahead;
  }

  newId(kind: Kind): string {
    return `${PREFIXES[kind]}_${randomBytes(12).toString('hex')}`;
  }

  find<K extends Kind>(kind: K, id: string): Objects[K] | undefined {
    return this.of(kind).get(id);
  }

  /** Objects of a kind, newest first. */
  list<K extends Kind>(kind: K): Objects[K][] {
    return [...this.of(kind).values()].reverse();
  }

  put<K extends Kind>(kind: K, object: Objects[K]): Objects[K] {
    if (this.file) appendFileSync(this.file, lineOf(kind, object));
    this.of(kind).set(object.id, object);
    return object;
  }

  /** Deletes all objects and stored answers. */
  clear(): void {
    this.objects.clear();
    if (this.file) this.rewrite(this.file);
  }

  /**
   * Compacts the file to one line for each object. It is replaced atomically, so that a kill
   * leaves the old or the new file.
   */
  private rewrite(file: string): void {
    const lines = [...this.objects].flatMap(([kind, objects]) =>
      [...objects.values()].map((object) => lineOf(kind, object)),
    );
    const temporary = `${file}.${process.pid}`;
    writeFileSync(temporary, lines.join(''), { mode: 0o600 });
    renameSync(temporary, file);
  }

  private of<K extends Kind>(kind: K): Map<string, Objects[K]> {
    const found = this.objects.get(kind) ?? new Map<string, Objects[Kind]>();
    this.objects.set(kind, found);
    return found as Map<string, Objects[K]>;
  }
}

interface Line {
  kind: Kind;
  object: Objects[Kind];
}

const lineOf = (kind: Kind, object: Objects[Kind]): string => `${JSON.stringify({ kind, object } satisfies Line)}\n`;

/** Parses a line. Returns an empty list for the incomplete line that a killed process can leave. */
function parse(line: string): Line[] {
  try {
    return [JSON.parse(line) as Line];
  } catch {
    return [];
  }
}
