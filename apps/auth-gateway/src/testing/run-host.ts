import type { CallResponse, RunRequest } from '@platform/contracts';
import { HostStandIn, type HostAnswer } from './host-stand-in.js';

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

/** Speaks the wire of the extension host's runs, takes events, and does nothing else. */
export class RunHost {
  /** By itself a run returns its params. Null: it never answers. A number: with this status and nothing in it. */
  answer: (run: RunRequest) => CallResponse | number | null | Promise<CallResponse> = echo;

  private constructor(private readonly standIn: HostStandIn) {
    standIn.answers = async ({ url, body }): Promise<HostAnswer | null> => {
      if (url === EVENTS) return { status: 204 };
      if (url !== RUNS) return { status: 404 };
      const answer = await this.answer(body as RunRequest);
      if (answer === null) return null;
      return typeof answer === 'number' ? { status: answer } : { body: answer };
    };
  }

  static async start(): Promise<RunHost> {
    return new RunHost(await HostStandIn.start());
  }

  get url(): string {
    return this.standIn.url;
  }

  /** What it was asked to run. */
  get runs(): RunRequest[] {
    return this.standIn.requests.filter(({ url }) => url === RUNS).map(({ body }) => body as RunRequest);
  }

  get lastRun(): RunRequest | undefined {
    return this.runs.at(-1);
  }

  /** How many runs were given up by whoever asked for them. */
  get aborted(): number {
    return this.standIn.ended;
  }

  /** Answers as at the start again. */
  reset(): void {
    this.answer = echo;
  }

  stop(): Promise<void> {
    return this.standIn.stop();
  }
}

const echo = ({ params }: RunRequest): CallResponse => ({ ...SUCCESS, data: params });
