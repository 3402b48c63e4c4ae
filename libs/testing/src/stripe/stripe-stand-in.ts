import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type Stripe from 'stripe';
import type { Account } from './account.js';
import { StripeRefusal } from './api-error.js';
import { hashOf, IdempotentAnswers } from './idempotency.js';
import { authenticateIntent, finishProcessing } from './payment-intents.js';
import { failRefund } from './refunds.js';
import { findRoute, type Asker } from './routes.js';
import { authenticateSetupIntent } from './setup-intents.js';
import { State } from './state.js';
import { Webhooks, type WebhookSettings } from './webhooks.js';

export const STRIPE_SECRET_KEY = 'sk_test_stand_in';
export const STRIPE_PUBLISHABLE_KEY = 'pk_test_stand_in';

/** What becomes of a request instead of an answer, or of its answer. */
export type Fault =
  /** Nothing is done, and the connection breaks. */
  | { kind: 'lost_before' }
  /** All is done, and the connection breaks. */
  | { kind: 'lost_after' }
  /** All is done, and the answer comes that much later. */
  | { kind: 'slow'; ms: number }
  /** Nothing is done. A 500 is kept for its idempotency key, as Stripe keeps it; a 409 and a 429 are not. */
  | { kind: 'answer'; status: 409 | 429 | 500 };

/** Which requests a fault is of: `POST /v1/payment_intents`; of those that fit the next `times`. */
export interface PlannedFault {
  request: RegExp;
  fault: Fault;
  times: number;
}

export interface StripeStandInOptions {
  port?: number;
  /** Where the objects are kept. Absent: nowhere. */
  file?: string;
  webhooks?: Partial<WebhookSettings>;
}

/**
 * Speaks Stripe's API as far as the platform uses it, with objects that have a life: payments that succeed, are declined, ask for authentication or take their
 * time; cards that are kept; refunds; events that are signed and delivered; and faults where a test wants them. What Stripe knows and this does not is
 * refused with 400 or 404, and never ignored.
 */
export class StripeStandIn {
  /** Every request: `POST /v1/payment_intents`. */
  readonly requests: string[] = [];
  private readonly faults: PlannedFault[] = [];
  private readonly account: Account;
  private readonly answers: IdempotentAnswers;

  private constructor(
    private readonly server: Server,
    readonly state: State,
    readonly webhooks: Webhooks,
  ) {
    this.account = { state, webhooks };
    this.answers = new IdempotentAnswers(state);
  }

  static async start({ port = 0, file, webhooks: settings = {} }: StripeStandInOptions = {}): Promise<StripeStandIn> {
    const state = new State(file);
    const webhooks = new Webhooks(state);
    Object.assign(webhooks.settings, settings);
    const standIn = new StripeStandIn(createServer(), state, webhooks);
    standIn.server.on('request', (request, response) => void standIn.handle(request, response));
    await new Promise<void>((done) => standIn.server.listen(port, '127.0.0.1', done));
    return standIn;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.webhooks.stop();
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  /** Makes an object as a seller does, by `POST /v1/{path}`. Returns its id. @throws Error where it is refused. */
  async add(path: string, parameters: Record<string, string>): Promise<string> {
    const headers = { Authorization: `Bearer ${STRIPE_SECRET_KEY}`, 'Content-Type': 'application/x-www-form-urlencoded' };
    const answer = await fetch(`${this.url}/v1/${path}`, { method: 'POST', headers, body: new URLSearchParams(parameters) });
    const { id, error } = (await answer.json()) as { id?: string; error?: { message: string } };
    if (id === undefined) throw new Error(`The stand-in refused ${path}: ${error?.message}`);
    return id;
  }

  /** The next requests that fit go wrong. */
  plan(request: RegExp, fault: Fault, times = 1): void {
    this.faults.push({ request, fault, times });
  }

  /** What the customer does at their bank, for a payment or a set-up that asks for it. */
  authenticate(id: string, succeeds = true): Stripe.PaymentIntent | Stripe.SetupIntent {
    return id.startsWith('seti_') ? authenticateSetupIntent(this.account, id, succeeds) : authenticateIntent(this.account, id, succeeds);
  }

  finishProcessing(id: string, succeeds = true): Stripe.PaymentIntent {
    return finishProcessing(this.account, id, succeeds);
  }

  failRefund(id: string): Stripe.Refund {
    return failRefund(this.account, id);
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://stripe');
    const line = `${request.method} ${url.pathname}`;
    this.requests.push(line);
    const form = request.method === 'POST' ? await text(request) : url.search.slice(1);
    const fault = this.takeFault(line);
    if (fault?.kind === 'lost_before') return void request.socket.destroy();
    const { status, body, isReplayed } = await this.answer(request, url.pathname, form, fault);
    if (fault?.kind === 'lost_after') return void request.socket.destroy();
    if (fault?.kind === 'slow') await delay(fault.ms);
    response.writeHead(status, {
      'Content-Type': 'application/json',
      'Request-Id': `req_${this.requests.length}`,
      ...(isReplayed && { 'Idempotent-Replayed': 'true' }),
      ...(status === 429 && { 'Retry-After': '1' }),
    });
    response.end(body);
  }

  private takeFault(line: string): Fault | undefined {
    const planned = this.faults.find(({ request, times }) => times > 0 && request.test(line));
    if (planned) planned.times--;
    return planned?.fault;
  }

  private async answer(
    { method = '', headers }: IncomingMessage,
    path: string,
    form: string,
    fault: Fault | undefined,
  ): Promise<{ status: number; body: string; isReplayed?: boolean }> {
    const key = method === 'POST' ? headers['idempotency-key'] : undefined;
    try {
      const run = findRoute(method, path, form, askerOf(headers.authorization));
      if (typeof key !== 'string') return await this.execute(run, fault);
      const hash = hashOf(method, path, form);
      const known = this.answers.find(key, hash);
      if (known) return { ...known, isReplayed: true };
      this.answers.begin(key);
      let kept: { status: number; body: string } | null = null;
      try {
        const answer = await this.execute(run, fault);
        if (isKept(answer)) kept = answer;
        return answer;
      } finally {
        this.answers.end(key, hash, kept);
      }
    } catch (error) {
      if (error instanceof StripeRefusal) return refused(error);
      throw error;
    }
  }

  /** In the next turn, so that two requests with one key meet. */
  private async execute(run: (account: Account) => object, fault: Fault | undefined): Promise<{ status: number; body: string }> {
    await new Promise((done) => setImmediate(done));
    if (fault?.kind === 'answer') return refused(FAULTS[fault.status]);
    try {
      return { status: 200, body: JSON.stringify(run(this.account)) };
    } catch (error) {
      if (error instanceof StripeRefusal) return refused(error);
      throw error;
    }
  }
}

/** Of a key: what Stripe began to do. What it refuses before that, for a parameter, may be sent again with the same key. */
const isKept = ({ status, body }: { status: number; body: string }): boolean =>
  ![409, 429].includes(status) && (JSON.parse(body) as { error?: { param?: string } }).error?.param === undefined;

const FAULTS = {
  409: new StripeRefusal(409, {
    type: 'invalid_request_error',
    code: 'lock_timeout',
    message: 'This object cannot be accessed right now.',
  }),
  429: new StripeRefusal(429, { type: 'rate_limit_error', code: 'rate_limit', message: 'Too many requests.' }),
  500: new StripeRefusal(500, { type: 'api_error', message: 'An unknown error occurred.' }),
};

const refused = ({ status, error }: StripeRefusal): { status: number; body: string } => ({ status, body: JSON.stringify({ error }) });

/** @throws StripeRefusal 401. */
function askerOf(authorization: string | undefined): Asker {
  if (authorization === `Bearer ${STRIPE_SECRET_KEY}`) return 'seller';
  if (authorization === `Bearer ${STRIPE_PUBLISHABLE_KEY}`) return 'browser';
  throw new StripeRefusal(401, { type: 'invalid_request_error', message: 'Invalid API Key provided.' });
}
