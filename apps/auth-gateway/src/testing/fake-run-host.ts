import type { CallResponse, RunRequest } from '@platform/contracts';
import { FakeHost, type HostAnswer } from './fake-host.js';

const RUNS = '/v1/internal/runs';
const EVENTS = '/v1/internal/events';

export const SUCCESS = {
  status: 'success' as const,
  data: null,
  summary: null,
  error: null,
  ui: null,
  error_code: null,
  retryable: false,
} satisfies CallResponse;

/** A fake of the extension host that accepts runs and events. */
export class FakeRunHost {
  /**
   * Answer of a run; default: its params. Null: no answer. A number: this status with an empty
   * body.
   */
  answer: (run: RunRequest) => CallResponse | number | null | Promise<CallResponse> = echo;

  private constructor(private readonly fakeHost: FakeHost) {
    fakeHost.answers = async ({ url, body }): Promise<HostAnswer | null> => {
      if (url === EVENTS) return { status: 204 };
      if (url !== RUNS) return { status: 404 };
      const answer = await this.answer(body as RunRequest);
      if (answer === null) return null;
      return typeof answer === 'number' ? { status: answer } : { body: answer };
    };
  }

  static async start(): Promise<FakeRunHost> {
    return new FakeRunHost(await FakeHost.start());
  }

  get url(): string {
    return this.fakeHost.url;
  }

  /** Runs that were requested, oldest first. */
  get runs(): RunRequest[] {
    return this.fakeHost.requests.filter(({ url }) => url === RUNS).map(({ body }) => body as RunRequest);
  }

  get lastRun(): RunRequest | undefined {
    return this.runs.at(-1);
  }

  /** Number of runs that the caller aborted. */
  get aborted(): number {
    return this.fakeHost.aborted;
  }

  /** Restores the default answer. */
  reset(): void {
    this.answer = echo;
  }

  stop(): Promise<void> {
    return this.fakeHost.stop();
  }
}

const echo = ({ params }: RunRequest): CallResponse => ({ ...SUCCESS, data: params });
