import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { identity } from './identity.js';

export interface TourOptions {
  gatewayUrl: string;
  mailboxUrl: string;
  print: (line: string) => void;
}

interface Call {
  method?: 'GET' | 'POST' | 'DELETE';
  body?: unknown;
  token?: string;
  /** What the answer must be; 200 unless said. */
  status?: number;
}

interface MailboxMessage {
  to: string;
  subject: string;
  text: string;
}

const MAIL_TIMEOUT_MS = 30_000;
const MAIL_POLL_MS = 200;
/** Of a printed value; a token is long and says nothing to a reader. */
const PRINTED_LENGTH = 60;
const LONG_VALUE = /([\w.-]{20})[\w.-]{40,}/g;

/** One walk through the product, as a new user would take it. Each chapter of the product adds its part. */
export class Tour {
  readonly email = `ada-${randomBytes(4).toString('hex')}@example.com`;
  readonly password = randomBytes(9).toString('base64url');
  private steps = 0;

  constructor(private readonly options: TourOptions) {}

  /** Says what comes next. */
  step(title: string): void {
    this.options.print(`\n${++this.steps}. ${title}`);
  }

  /** Calls the gateway, prints request and result, and returns the body. Throws when the status is another than expected. */
  async call<Body>(path: string, { method = 'GET', body, token, status = 200 }: Call = {}): Promise<Body> {
    this.options.print(`   ${method} ${path.replace(LONG_VALUE, '$1…')}${body === undefined ? '' : ` ${shortened(body)}`}`);
    const response = await fetch(`${this.options.gatewayUrl}${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    this.options.print(`   → ${response.status} ${shortened(answer)}`);
    if (response.status === 429)
      throw new Error('Too many requests from this address. Wait, or start the platform with RATE_LIMIT_SCALE=100.');
    if (response.status !== status) throw new Error(`${method} ${path} answered ${response.status} instead of ${status}`);
    return answer as Body;
  }

  /** The newest mail to the new user, from the local mailbox; waits for it. */
  async mail(): Promise<MailboxMessage> {
    const { mailboxUrl, print } = this.options;
    const deadline = Date.now() + MAIL_TIMEOUT_MS;
    while (Date.now() < deadline) {
      const response = await fetch(`${mailboxUrl}/api/messages`);
      const message = ((await response.json()) as MailboxMessage[]).find(({ to }) => to === this.email);
      if (message) {
        print(`   ✉ "${message.subject}" for ${message.to}`);
        return message;
      }
      await delay(MAIL_POLL_MS);
    }
    throw new Error(`No mail for ${this.email} arrived at ${mailboxUrl} within ${MAIL_TIMEOUT_MS / 1000} s.`);
  }
}

/** Plays the whole tour. Rejects at the first step that does not go as it should. */
export async function runTour(options: TourOptions): Promise<void> {
  const tour = new Tour(options);
  await identity(tour);
  options.print('\nThe tour is over: everything worked.');
}

function shortened(value: unknown): string {
  return JSON.stringify(value, (key, item: unknown) => {
    if (/password/.test(key)) return '•••';
    return typeof item === 'string' && item.length > PRINTED_LENGTH ? `${item.slice(0, PRINTED_LENGTH)}…` : item;
  });
}
