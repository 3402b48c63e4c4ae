import { shortenText } from '@platform/contracts';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Computer } from '../terminal/computer.js';
import { apiKeys } from './api-keys.js';
import { apps } from './apps.js';
import { commandLine } from './command-line.js';
import { identity } from './identity.js';
import { LiveEvents } from './live-events.js';
import { organisation } from './organisation.js';
import { payments } from './payments.js';
import { tenants } from './tenants.js';

export type ClockMove = '+32d' | '--reset';

export interface TourOptions {
  gatewayUrl: string;
  mailboxUrl: string;
  panelUrl: string;
  /** Credentials of an administrator; without them the tour skips the administrator's steps. */
  administrator?: { email: string; password: string } | undefined;
  /** URL of the fake payment provider; without it the tour skips the payments. */
  paymentsUrl?: string | undefined;
  /**
   * Moves the billing clock, like `npm run billing:clock`; without it the tour skips the renewal.
   */
  moveClock?: ((by: ClockMove) => Promise<void>) | undefined;
  print: (line: string) => void;
}

interface Call {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  body?: unknown;
  token?: string;
  apiKey?: string;
  idempotencyKey?: string;
  /** Expected status of the answer, 200 by default. */
  status?: number;
  /**
   * True to repeat the request for up to a second until the status is as expected, because other
   * processes notice a change a moment later.
   */
  isHeardOf?: boolean;
}

interface MailboxMessage {
  to: string;
  subject: string;
  text: string;
}

const HEARD_OF_MS = 1_000;
const WAIT = { seconds: 30, everySeconds: 0.2 };
/** Longest printed value; tokens are long and useless for readers. */
const PRINTED_LENGTH = 60;
const LONG_VALUE = /([\w.-]{20})[\w.-]{40,}/g;

/** A walk through the product as a new user. Each area of the product adds its steps. */
export class Tour {
  readonly email = `ada-${randomBytes(4).toString('hex')}@example.com`;
  readonly password = randomBytes(9).toString('base64url');
  private readonly homes: string[] = [];
  private steps = 0;
  private live: LiveEvents | undefined;
  /** Lines that were printed since the last attempt, while the tour waits for something. */
  private held: string[] | null = null;

  constructor(private readonly options: TourOptions) {}

  get administrator(): TourOptions['administrator'] {
    return this.options.administrator;
  }

  get hasTestPayments(): boolean {
    return this.options.paymentsUrl !== undefined;
  }

  get hasClock(): boolean {
    return this.options.moveClock !== undefined;
  }

  /** Prints the title of the next step. */
  step(title: string): void {
    this.print(`\n${++this.steps}. ${title}`);
  }

  /** Prints which part is skipped, and why. */
  skip(reason: string): void {
    this.print(`\n– ${reason}`);
  }

  /**
   * Calls the gateway, prints request and result, and returns the body. @throws Error if the status
   * is not the expected one.
   */
  async call<Body>(
    path: string,
    { method = 'GET', body, token, apiKey, idempotencyKey, status = 200, isHeardOf = false }: Call = {},
  ): Promise<Body> {
    this.print(`   ${method} ${path.replace(LONG_VALUE, '$1…')}${body === undefined ? '' : ` ${printed(body)}`}`);
    const url = `${this.options.gatewayUrl}${path}`;
    const sent: RequestInit = {
      method,
      headers: {
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
        ...(apiKey ? { 'x-api-key': apiKey } : {}),
        ...(idempotencyKey ? { 'Idempotency-Key': idempotencyKey } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
    const until = performance.now() + (isHeardOf ? HEARD_OF_MS : 0);
    let response = await fetch(url, sent);
    while (response.status !== status && performance.now() < until) response = await fetch(url, sent);
    const answer: unknown = await response.json();
    this.print(`   → ${response.status} ${printed(answer)}`);
    if (response.status === 429)
      throw new Error('Too many requests from this address. Wait, or start the platform with RATE_LIMIT_SCALE=100.');
    if (response.status !== status)
      throw new Error(`${method} ${path} answered ${response.status} instead of ${status}`);
    return answer as Body;
  }

  /** Sends a webhook to its public address, and expects that it is accepted. */
  async webhook(path: string, body: string, headers: Record<string, string>): Promise<void> {
    this.print(`   POST ${path} ${body} (from outside)`);
    const response = await fetch(`${this.options.panelUrl}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body,
    });
    this.print(`   → ${response.status} ${printed(await response.json())}`);
    if (!response.ok) throw new Error(`POST ${path} answered ${response.status}`);
  }

  /** Pays with a test card, like the payment page in a browser with its client secret. */
  async pay(intentId: string, clientSecret: string): Promise<void> {
    const path = `/v1/payment_intents/${intentId}/confirm`;
    this.print(`   POST ${path} {"payment_method":"pm_card_visa"} (test payments)`);
    const response = await fetch(`${this.options.paymentsUrl}${path}`, {
      method: 'POST',
      headers: { Authorization: 'Bearer pk_test_stand_in' },
      body: new URLSearchParams({ client_secret: clientSecret, payment_method: 'pm_card_visa' }),
    });
    const { status } = (await response.json()) as { status?: string };
    this.print(`   → ${response.status} ${printed({ status })}`);
    if (status !== 'succeeded')
      throw new Error(`POST ${path} answered ${response.status}, and the payment is ${status}`);
  }

  /** Moves the billing clock of the whole platform. */
  async moveClock(by: ClockMove): Promise<void> {
    this.print(`   $ npm run billing:clock -- ${by}`);
    await this.options.moveClock?.(by);
  }

  /**
   * Verifies the address of a webhook with a challenge, as providers do, and expects the challenge
   * as the answer.
   */
  async verified(path: string): Promise<void> {
    const challenge = randomBytes(8).toString('hex');
    const address = `${path}?hub.mode=subscribe&hub.challenge=${challenge}`;
    this.print(`   GET ${address} (from outside)`);
    const response = await fetch(this.options.panelUrl + address);
    const answer = await response.text();
    this.print(`   → ${response.status} ${printed(answer)}`);
    if (answer !== challenge) throw new Error(`GET ${path} answered ${response.status}, and not the challenge`);
  }

  /**
   * Repeats `ask` until it returns a value, and prints only the last attempt. @throws Error that
   * contains `what` if there is no value in time.
   */
  async until<Value>(
    what: string,
    ask: () => Promise<Value | undefined>,
    { seconds, everySeconds } = WAIT,
  ): Promise<Value> {
    const deadline = Date.now() + seconds * 1_000;
    let lines: string[] = [];
    try {
      for (let isFirst = true; ; isFirst = false) {
        this.held = lines = [];
        const value = await ask();
        if (value !== undefined) return value;
        if (Date.now() >= deadline) throw new Error(`There was no ${what} within ${seconds} s.`);
        if (isFirst) this.options.print(`   … waiting for the ${what}`);
        await delay(everySeconds * 1_000);
      }
    } finally {
      this.held = null;
      for (const line of lines) this.print(line);
    }
  }

  private print(line: string): void {
    if (this.held) this.held.push(line);
    else this.options.print(line);
  }

  /**
   * Signs in to the panel like its page. Returns a function that calls the panel within that
   * session.
   */
  async signInToPanel(credentials: object): Promise<(path: string, body: object) => Promise<void>> {
    let cookie = '';
    const post = async (path: string, body: object): Promise<void> => {
      this.print(`   POST ${path} ${printed(body)} (panel)`);
      const response = await fetch(`${this.options.panelUrl}${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin', Cookie: cookie },
        body: JSON.stringify(body),
      });
      const text = await response.text();
      this.print(`   → ${response.status} ${text && printed(JSON.parse(text))}`);
      if (!response.ok) throw new Error(`POST ${path} of the panel answered ${response.status}`);
      cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie;
    };
    await post('/session', credentials);
    return post;
  }

  /** Signs in with the command line on a new computer, and approves the login in the panel. */
  async signInAtTerminal(credentials: object): Promise<Computer> {
    const home = mkdtempSync(join(tmpdir(), 'platform-tour-'));
    this.homes.push(home);
    const computer = new Computer(home, this.options.gatewayUrl);
    this.print('   $ platform login');
    const login = computer.start('login');
    const failed = login.exited.then(() => Promise.reject(new Error(`platform login failed: ${login.stderr}`)));
    const user_code = (await Promise.race([login.printed(/^ {2}[A-Z]{4}-[A-Z]{4}$/m), failed])).trim();
    this.print(`   confirm the login if it shows this code: ${user_code}`);
    const panel = await this.signInToPanel(credentials);
    await panel('/api/v1/auth/cli/device/lookup', { user_code });
    await panel('/api/v1/auth/cli/device/approve', { user_code });
    if ((await login.exited) !== 0) throw new Error(`platform login failed: ${login.stderr}`);
    return computer;
  }

  /** Runs a command of `platform`, prints its output, and expects that it succeeds. */
  async terminal(computer: Computer, command: string): Promise<void> {
    this.print(`   $ platform ${command}`);
    const { exitCode, stdout, stderr } = await computer.run(command);
    for (const line of `${stderr}${stdout}`.split('\n').filter(Boolean)) this.print(`   ${line}`);
    if (exitCode !== 0) throw new Error(`platform ${command} ended with ${exitCode}`);
  }

  /** Shows the events of the new user from now on. */
  async followEvents(computer: Computer): Promise<void> {
    this.print('   $ platform events tail --json &');
    this.live = await LiveEvents.start(computer, this.options.print);
  }

  /** Expects that the following steps cause this event of the new user. */
  expectEvent(type: string, payload: Record<string, unknown>): void {
    this.live?.expect(type, payload);
  }

  /** @throws Error if an expected event is missing or came twice. */
  async checkEvents(): Promise<void> {
    await this.live?.check();
  }

  /** Deletes the files of the tour's computers. */
  async close(): Promise<void> {
    await this.live?.stop();
    for (const home of this.homes) rmSync(home, { recursive: true, force: true });
  }

  /** Waits for the newest mail to the new user, or to this address, in the local mailbox. */
  async mail(address = this.email): Promise<MailboxMessage> {
    const { mailboxUrl } = this.options;
    const message = await this.until(`mail for ${address} at ${mailboxUrl}`, async () => {
      const response = await fetch(`${mailboxUrl}/api/messages`);
      return ((await response.json()) as MailboxMessage[]).find(({ to }) => to === address);
    });
    this.print(`   ✉ "${message.subject}" for ${message.to}`);
    return message;
  }
}

/** Runs the whole tour. Rejects at the first step that fails. */
export async function runTour(options: TourOptions): Promise<void> {
  const tour = new Tour(options);
  try {
    await identity(tour);
    await apiKeys(tour);
    await commandLine(tour);
    await organisation(tour);
    await tenants(tour);
    await liveEvents(tour);
    await apps(tour);
    await payments(tour);
    tour.step('Check that all expected events were shown');
    await tour.checkEvents();
  } finally {
    await tour.close();
  }
  options.print('\nThe tour is over: everything worked.');
}

/** Starts to show events; from here on they appear between the lines of the other steps. */
async function liveEvents(tour: Tour): Promise<void> {
  const { email, password } = tour;
  tour.step('In another terminal: follow the events');
  await tour.followEvents(await tour.signInAtTerminal({ email, password }));
}

function printed(value: unknown): string {
  return JSON.stringify(value, (key, item: unknown) => {
    if (/password|^key$|^value$|^client_secret$/.test(key)) return '•••';
    return typeof item === 'string' ? shortenText(item, PRINTED_LENGTH) : item;
  });
}
