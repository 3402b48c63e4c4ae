import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { contextFactory } from '../context.js';
import { CredentialStore } from '../credentials/credential-store.js';
import { describeFailure } from '../failures.js';
import { Interruption } from '../interruption.js';
import { createProgram } from '../program.js';
import { resolveSettings } from '../settings.js';

export interface Asked {
  line: string;
  body: unknown;
  /** The `Idempotency-Key`, if the request has one. */
  key?: string;
}

export type Answer = [status: number, body: unknown, headers?: Record<string, string>];

const ME = { id: 'usr_1', tenant_id: 'default', scopes: ['notes:read', 'mail:*'] };
const NO_APP: Answer = [404, { detail: 'There is no such app.', code: 'app.not_found' }];

/**
 * A fake platform with answers from the test, and the command under test with its output. Start it
 * in `beforeAll`; call `reset` before each test.
 */
export class FakePlatform {
  asked: Asked[] = [];
  /** `Authorization` headers of the requests in `asked`, in the same order. */
  authorizations: (string | undefined)[] = [];
  answer: (asked: Asked) => Answer | Promise<Answer> = () => NO_APP;
  /** Text of the event stream, which ends after it; null: the route is answered by `answer`. */
  stream: string | null = null;
  /** Text on standard output. */
  printed = '';
  /** Text on standard error. */
  noted = '';

  private constructor(private readonly server: Server) {}

  static async start(): Promise<FakePlatform> {
    const platform = new FakePlatform(createServer());
    const { server } = platform;
    server.on('request', (request, response) => {
      void (async () => {
        const sent = await text(request);
        const key = request.headers['idempotency-key'];
        const one: Asked = {
          line: `${request.method} ${request.url}`,
          body: sent ? (JSON.parse(sent) as unknown) : null,
          ...(typeof key === 'string' && { key }),
        };
        platform.asked.push(one);
        platform.authorizations.push(request.headers.authorization);
        if (platform.stream !== null && request.url?.startsWith('/v1/events/stream')) {
          response.writeHead(200, { 'Content-Type': 'text/event-stream' }).end(platform.stream);
          return;
        }
        const [status, body, headers] = one.line === 'GET /v1/auth/me' ? [200, ME] : await platform.answer(one);
        response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
      })();
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    process.env['PLATFORM_API_KEY'] = 'cp_live_of_the_test';
    return platform;
  }

  /** Clears all records, and captures the output of the command. */
  reset(): void {
    this.asked = [];
    this.authorizations = [];
    this.printed = this.noted = '';
    this.answer = () => NO_APP;
    this.stream = null;
    jest.spyOn(process.stdout, 'write').mockImplementation((chunk) => Boolean((this.printed += String(chunk))));
    jest.spyOn(process.stderr, 'write').mockImplementation((chunk) => Boolean((this.noted += String(chunk))));
  }

  /**
   * Stores a fake session until mocks are restored. The command uses it if PLATFORM_API_KEY is not
   * set.
   */
  storeLogin(email = 'ada@example.com'): void {
    const accessToken = `e30.${Buffer.from(JSON.stringify({ email })).toString('base64url')}.signature`;
    const tokens = { accessToken, refreshToken: 'refresh', expiresAt: Date.now() + 3_600_000 };
    jest.spyOn(CredentialStore.prototype, 'load').mockResolvedValue(tokens);
  }

  /** Makes the command use a session instead of an API key. */
  signIn(email?: string): void {
    delete process.env['PLATFORM_API_KEY'];
    this.storeLogin(email);
  }

  async stop(): Promise<void> {
    delete process.env['PLATFORM_API_KEY'];
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  /**
   * Runs the command against the fake platform. Returns the message and exit code of a failure, or
   * null on success.
   */
  async run(...parameters: string[]): Promise<{ message: string; exitCode: number } | null> {
    try {
      await createProgram(contextFactory(new Interruption())).parseAsync(['--url', this.url, ...parameters], {
        from: 'user',
      });
      return null;
    } catch (error) {
      const at = parameters.indexOf('--url');
      return describeFailure(error, resolveSettings({ url: at < 0 ? this.url : parameters[at + 1] }, process.env));
    }
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }
}
