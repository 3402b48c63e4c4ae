import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type Stripe from 'stripe';
import type { FakeAccount } from './account.js';
import { createMissingError, StripeApiError } from './stripe-api-error.js';
import { handleControlRequest } from './control.js';
import { closeDispute, openDispute, type DisputeOptions } from './disputes.js';
import { FAULT_ANSWERS, Faults, type Fault } from './faults.js';
import { hashParts, IdempotentAnswers } from './idempotent-answers.js';
import { getClientKind, STRIPE_SECRET_KEY } from './keys.js';
import type { Answer } from './pages.js';
import { renderPayPage } from './pay-page.js';
import { authenticateIntent, finishProcessing } from './payment-intents.js';
import { renderPortalPage } from './portal.js';
import { renderReceiptPage } from './receipt-page.js';
import { failRefund } from './refunds.js';
import { findRoute } from './routes.js';
import { authenticateSetupIntent } from './setup-intents.js';
import { FakeStripeState } from './fake-stripe-state.js';
import { FakeStripeWebhooks, type WebhookSettings } from './fake-stripe-webhooks.js';

export { PRODUCTION_TEST_KEYS, STRIPE_PUBLISHABLE_KEY, STRIPE_SECRET_KEY } from './keys.js';

const HOST = '127.0.0.1';

export interface FakeStripeOptions {
  /** Port; 0 takes a free one. */
  port?: number;
  /** Listening address, 127.0.0.1 by default. A container needs another address to be reachable. */
  host?: string;
  /** Host names that the fake accepts in addition to localhost. */
  names?: readonly string[];
  /** File for the objects; absent: memory only. */
  file?: string;
  webhooks?: Partial<WebhookSettings>;
}

interface StripeAnswer {
  status: number;
  body: string;
  isReplayed?: boolean;
}

/**
 * A fake of the part of Stripe's API that the platform uses. Its objects change over time:
 * payments succeed, are declined, need authentication or take time; cards are saved; refunds and
 * disputes happen; events are signed and delivered; tests can plan faults. It refuses all
 * parameters and routes that it does not know with 400 or 404. Customers pay at `/pay/…`, receipts
 * are at `/receipts/…`, and `/_control/…` offers its methods to other processes.
 */
export class FakeStripe {
  /** Method and path of every API request: `POST /v1/payment_intents`. */
  readonly requests: string[] = [];
  readonly faults = new Faults();
  private readonly account: FakeAccount;
  private readonly answers: IdempotentAnswers;

  private constructor(
    private readonly server: Server,
    readonly state: FakeStripeState,
    readonly webhooks: FakeStripeWebhooks,
    private readonly names: readonly string[],
  ) {
    this.account = { state, webhooks, urlOf: (path) => this.url + path };
    this.answers = new IdempotentAnswers(state);
  }

  /**
   * Starts the fake. Rejects with the system's error, with `code` and `port`, if the port cannot
   * be used.
   */
  static async start({
    port = 0,
    host = HOST,
    names = [],
    file,
    webhooks: settings = {},
  }: FakeStripeOptions = {}): Promise<FakeStripe> {
    const state = new FakeStripeState(file);
    const webhooks = new FakeStripeWebhooks(state);
    Object.assign(webhooks.settings, settings);
    const fake = new FakeStripe(createServer(), state, webhooks, ['localhost', '127.0.0.1', ...names]);
    fake.server.on('request', (request, response) => {
      fake.handle(request, response).catch((error: unknown) => fail(request, response, error));
    });
    fake.server.listen(port, host);
    await once(fake.server, 'listening');
    return fake;
  }

  get url(): string {
    return `http://${HOST}:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.webhooks.stop();
    const closed = new Promise((done) => this.server.close(done));
    this.server.closeAllConnections();
    await closed;
  }

  /**
   * Creates an object as the seller, with `POST /v1/{path}`. Returns its id.
   *
   * @throws Error with Stripe's message if it is refused
   */
  async createObject(path: string, parameters: Record<string, string>): Promise<string> {
    const headers = {
      Authorization: `Bearer ${STRIPE_SECRET_KEY}`,
      'Content-Type': 'application/x-www-form-urlencoded',
    };
    const answer = await fetch(`${this.url}/v1/${path}`, {
      method: 'POST',
      headers,
      body: new URLSearchParams(parameters),
    });
    const { id, error } = (await answer.json()) as { id?: string; error?: { message: string } };
    if (id === undefined) throw new Error(`The fake refused ${path}: ${error?.message}`);
    return id;
  }

  /** Plans a fault for the next `times` matching requests. */
  planFault(request: RegExp, fault: Fault, times = 1): void {
    this.faults.plan(request, fault, times);
  }

  /**
   * Finishes the customer's authentication of a payment intent or a setup intent.
   *
   * @throws StripeApiError 404 if there is no such intent, 400 if it does not wait for
   * authentication
   */
  authenticate(id: string, succeeds = true): Stripe.PaymentIntent | Stripe.SetupIntent {
    return id.startsWith('seti_')
      ? authenticateSetupIntent(this.account, id, succeeds)
      : authenticateIntent(this.account, id, succeeds);
  }

  finishProcessing(id: string, succeeds = true): Stripe.PaymentIntent {
    return finishProcessing(this.account, id, succeeds);
  }

  failRefund(id: string): Stripe.Refund {
    return failRefund(this.account, id);
  }

  openDispute(charge: string, options: DisputeOptions = {}): Stripe.Dispute {
    return openDispute(this.account, charge, options);
  }

  closeDispute(id: string, outcome: 'won' | 'lost'): Stripe.Dispute {
    return closeDispute(this.account, id, outcome);
  }

  /** Deletes all objects without events, like "Delete all test data" in Stripe's dashboard. */
  deleteAllData(): void {
    this.state.clear();
  }

  /**
   * Schedules the delivery of an event again, with the same id, and returns it.
   *
   * @throws StripeApiError 404 if there is no such event
   */
  redeliver(id: string): Stripe.Event {
    const event = this.state.find('event', id);
    if (!event) throw createMissingError('event', id);
    this.webhooks.enqueue(event);
    return event;
  }

  /**
   * True if the host name is one of this fake. Others are refused: a foreign page must not read
   * payments by pointing its own name to this address (DNS rebinding).
   */
  private isName(host = ''): boolean {
    return this.names.includes(host.replace(/:\d+$/, '').toLowerCase());
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!this.isName(request.headers.host))
      return void response.writeHead(403).end(`Call this ${this.names.join(' or ')}.\n`);
    const { pathname, search } = new URL(`http://stripe${request.url}`);
    const line = `${request.method} ${pathname}`;
    const body = await text(request);
    const form = request.method === 'POST' ? body : search.slice(1);
    const beside = this.answerOtherRoutes(line, request.headers.authorization, body, form);
    if (beside) return void response.writeHead(beside.status, beside.headers).end(beside.body);
    this.requests.push(line);
    const fault = this.faults.consume(line);
    if (fault?.kind === 'lost_before') return void request.socket.destroy();
    const answer = await this.answer(request, pathname, form, fault);
    if (fault?.kind === 'lost_after') return void request.socket.destroy();
    if (fault?.kind === 'slow') await delay(fault.ms);
    response.writeHead(answer.status, {
      'Content-Type': 'application/json',
      'Request-Id': `req_${this.requests.length}`,
      ...(answer.isReplayed && { 'Idempotent-Replayed': 'true' }),
      ...(answer.status === 429 && { 'Retry-After': '1' }),
    });
    response.end(answer.body);
  }

  /**
   * Answers requests to routes outside of Stripe's API: control requests and pages. Undefined for
   * any other request.
   */
  private answerOtherRoutes(
    line: string,
    authorization: string | undefined,
    body: string,
    form: string,
  ): Answer | undefined {
    if (/^\w+ \/_control(\/|$)/.test(line)) return handleControlRequest(this, line, authorization, body);
    const [, method, kind, id = ''] = /^(GET|POST) \/(pay|portal|receipts)\/(\w+)$/.exec(line) ?? [];
    if (kind === 'pay') return renderPayPage(this.account, id, method === 'POST' ? 'POST' : 'GET', form);
    if (method !== 'GET') return undefined;
    if (kind === 'receipts') return renderReceiptPage(this.account, id);
    return kind === 'portal' ? renderPortalPage(this.account, id) : undefined;
  }

  private async answer(
    { method = '', headers }: IncomingMessage,
    path: string,
    form: string,
    fault: Fault | undefined,
  ): Promise<StripeAnswer> {
    const key = method === 'POST' ? headers['idempotency-key'] : undefined;
    try {
      const run = findRoute(method, path, form, getClientKind(headers.authorization));
      if (typeof key !== 'string') return await this.execute(run, fault);
      const hash = hashParts(method, path, form);
      const known = this.answers.find(key, hash);
      if (known) return { ...known, isReplayed: true };
      this.answers.start(key);
      let kept: StripeAnswer | null = null;
      try {
        const answer = await this.execute(run, fault);
        if (isStored(answer)) kept = answer;
        return answer;
      } finally {
        this.answers.finish(key, hash, kept);
      }
    } catch (error) {
      if (error instanceof StripeApiError) return refused(error);
      throw error;
    }
  }

  /**
   * Runs a request in the next turn of the event loop, so that two requests with one key overlap. A
   * refusal becomes an answer.
   */
  private async execute(run: (account: FakeAccount) => object, fault: Fault | undefined): Promise<StripeAnswer> {
    await new Promise((done) => setImmediate(done));
    if (fault?.kind === 'answer') return refused(FAULT_ANSWERS[fault.status]);
    try {
      return { status: 200, body: JSON.stringify(run(this.account)) };
    } catch (error) {
      if (error instanceof StripeApiError) return refused(error);
      throw error;
    }
  }
}

/**
 * True if the answer is stored under its key. Stripe stores the result of requests that it began
 * to execute; a request refused earlier, such as for a bad parameter, can be sent again with the
 * same key.
 */
function isStored({ status, body }: StripeAnswer): boolean {
  if ([409, 429].includes(status)) return false;
  const { error } = JSON.parse(body) as { error?: Partial<StripeApiError['error']> };
  return error?.type !== 'invalid_request_error' || (error.param === undefined && error.code !== undefined);
}

const refused = ({ status, error }: StripeApiError): StripeAnswer => ({ status, body: JSON.stringify({ error }) });

/**
 * Ignores errors of disconnected clients. Any other error is a bug of the fake, and the answer
 * reports it.
 */
function fail(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  if (!request.complete || response.headersSent) return void response.destroy();
  response.writeHead(500, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ error: { type: 'api_error', message: `The fake failed: ${String(error)}` } }));
}
