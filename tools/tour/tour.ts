import { shortened } from '@platform/contracts';
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
  /** Whose part is left out when it is not given. */
  administrator?: { email: string; password: string } | undefined;
  /** Where the stand-in of the payment provider is. What is paid is left out without it. */
  paymentsUrl?: string | undefined;
  /** Moves the time of billing, as `npm run billing:clock` does. What needs it is left out without it. */
  moveClock?: ((by: ClockMove) => Promise<void>) | undefined;
  print: (line: string) => void;
}

interface Call {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  body?: unknown;
  token?: string;
  apiKey?: string;
  idempotencyKey?: string;
  /** What the answer must be; 200 unless said. */
  status?: number;
  /** Asked again for a second until the answer has this status: another process hears of a change a moment after the one that made it. */
  isHeardOf?: boolean;
}

interface MailboxMessage {
  to: string;
  subject: string;
  text: string;
}

const HEARD_OF_MS = 1_000;
const WAIT = { seconds: 30, everySeconds: 0.2 };
/** Of a printed value; a token is long and says nothing to a reader. */
const PRINTED_LENGTH = 60;
const LONG_VALUE = /([\w.-]{20})[\w.-]{40,}/g;

/** One walk through the product, as a new user would take it. Each chapter of the product adds its part. */
export class Tour {
  readonly email = `ada-${randomBytes(4).toString('hex')}@example.com`;
  readonly password = randomBytes(9).toString('base64url');
  private readonly homes: string[] = [];
  private steps = 0;
  private live: LiveEvents | undefined;
  /** What was printed since it was asked last, while something is waited for. */
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

  /** Says what comes next. */
  step(title: string): void {
    this.print(`\n${++this.steps}. ${title}`);
  }

  /** Says what is left out, and why. */
  skip(reason: string): void {
    this.print(`\n– ${reason}`);
  }

  /** Calls the gateway, prints request and result, and returns the body. Throws when the status is another than expected. */
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
    if (response.status !== status) throw new Error(`${method} ${path} answered ${response.status} instead of ${status}`);
    return answer as Body;
  }

  /** Sends a webhook to the address that the outside knows, and expects that it is accepted. */
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

  /** Pays with a test card, as the page to pay does in a browser with the secret that it has. */
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
    if (status !== 'succeeded') throw new Error(`POST ${path} answered ${response.status}, and the payment is ${status}`);
  }

  /** Moves the time of billing of the whole platform. */
  async moveClock(by: ClockMove): Promise<void> {
    this.print(`   $ npm run billing:clock -- ${by}`);
    await this.options.moveClock?.(by);
  }

  /** Has the address of a webhook verified by a challenge, as providers do, and expects that back. */
  async verified(path: string): Promise<void> {
    const challenge = randomBytes(8).toString('hex');
    const address = `${path}?hub.mode=subscribe&hub.challenge=${challenge}`;
    this.print(`   GET ${address} (from outside)`);
    const response = await fetch(this.options.panelUrl + address);
    const answer = await response.text();
    this.print(`   → ${response.status} ${printed(answer)}`);
    if (answer !== challenge) throw new Error(`GET ${path} answered ${response.status}, and not the challenge`);
  }

  /** Asks until there is something, and prints the last time only; `what` names it when there is nothing in time. */
  async until<Value>(what: string, ask: () => Promise<Value | undefined>, { seconds, everySeconds } = WAIT): Promise<Value> {
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

  /** Signs in to the panel as its page does. Returns what calls the panel within that session. */
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

  /** Signs in with the command line on a computer of its own, which the person approves in the panel. */
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

  /** Plays a command of `platform`, prints what it prints, and expects that it succeeds. */
  async terminal(computer: Computer, command: string): Promise<void> {
    this.print(`   $ platform ${command}`);
    const { exitCode, stdout, stderr } = await computer.run(command);
    for (const line of `${stderr}${stdout}`.split('\n').filter(Boolean)) this.print(`   ${line}`);
    if (exitCode !== 0) throw new Error(`platform ${command} ended with ${exitCode}`);
  }

  /** Shows the events of the new user from now on, whatever else goes on. */
  async followEvents(computer: Computer): Promise<void> {
    this.print('   $ platform events tail --json &');
    this.live = await LiveEvents.start(computer, this.options.print);
  }

  /** What the tour does now causes this event of the new user. */
  expectEvent(type: string, payload: Record<string, unknown>): void {
    this.live?.expect(type, payload);
  }

  /** @throws Error where one of the expected events did not come, or came twice. */
  async checkEvents(): Promise<void> {
    await this.live?.check();
  }

  /** Takes away what the computers of the tour have kept. */
  async close(): Promise<void> {
    await this.live?.stop();
    for (const home of this.homes) rmSync(home, { recursive: true, force: true });
  }

  /** The newest mail to the new user, or to who is named, from the local mailbox; waits for it. */
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

/** Plays the whole tour. Rejects at the first step that does not go as it should. */
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
    tour.step('All of it was told as it happened');
    await tour.checkEvents();
  } finally {
    await tour.close();
  }
  options.print('\nThe tour is over: everything worked.');
}

/** From here on events come between the lines of the other steps. */
async function liveEvents(tour: Tour): Promise<void> {
  const { email, password } = tour;
  tour.step('In another terminal: follow what happens');
  await tour.followEvents(await tour.signInAtTerminal({ email, password }));
}

function printed(value: unknown): string {
  return JSON.stringify(value, (key, item: unknown) => {
    if (/password|^key$|^value$|^client_secret$/.test(key)) return '•••';
    return typeof item === 'string' ? shortened(item, PRINTED_LENGTH) : item;
  });
}
