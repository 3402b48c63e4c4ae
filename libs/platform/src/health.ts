import { Global, Injectable, Module, type INestApplication } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AppError } from './errors.js';

/** A dependency that the service cannot work without. `check` rejects while it is unavailable. */
export interface ReadinessCheck {
  name: string;
  check: () => Promise<void>;
}

/** Information for operators, shown beside the checks. It never makes the service not ready. */
export interface ReadinessNote {
  name: string;
  read: () => Promise<number | string>;
}

/**
 * Collects the checks that must succeed before the service takes traffic. Each feature adds its own
 * at its start.
 */
@Injectable()
export class ReadinessService {
  private readonly checks: ReadinessCheck[] = [];
  private readonly noted: ReadinessNote[] = [];
  private draining = false;
  private readonly latestChecks = new Latest(() => this.check());
  private readonly latestNotes = new Latest(() => this.read());

  addCheck(check: ReadinessCheck): void {
    this.checks.push(check);
    this.latestChecks.forget();
  }

  addNote(note: ReadinessNote): void {
    this.noted.push(note);
    this.latestNotes.forget();
  }

  /**
   * Values of the notes of all features, by name, at most a second old. A note that fails, or takes
   * longer than two seconds, is left out.
   */
  readNotes(): Promise<Record<string, number | string>> {
    return this.latestNotes.get();
  }

  private async read(): Promise<Record<string, number | string>> {
    const entries = await Promise.all(
      this.noted.map(({ name, read }) =>
        withTimeout(read()).then(
          (value) => [[name, value]],
          () => [],
        ),
      ),
    );
    return Object.fromEntries(entries.flat()) as Record<string, number | string>;
  }

  /**
   * Makes `runChecks`, and so /readyz, fail with 503 from now on, so that the service gets no new
   * traffic.
   */
  drain(): void {
    this.draining = true;
  }

  /**
   * Runs the checks of all features, and returns `ok` by name of each. The results are at most a
   * second old, so frequent probes do not run the checks more often.
   *
   * @throws AppError 503 `not_ready` that names the checks that failed or took longer than two
   * seconds; also after `drain`.
   */
  async runChecks(): Promise<Record<string, 'ok'>> {
    if (this.draining) throw notReady({ shutdown: 'in progress' });
    return this.latestChecks.get();
  }

  private async check(): Promise<Record<string, 'ok'>> {
    const results = await Promise.all(
      this.checks.map(async ({ name, check }) => {
        const failure = await withTimeout(check()).then(
          () => null,
          (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
        );
        return { name, failure };
      }),
    );
    const failed = results.filter(({ failure }) => failure);
    if (failed.length) {
      throw notReady(Object.fromEntries(failed.map(({ name }) => [name, 'unavailable'])), failed[0]?.failure);
    }
    return Object.fromEntries(results.map(({ name }) => [name, 'ok' as const]));
  }
}

const CHECK_TIMEOUT_MS = 2_000;
/**
 * Milliseconds for which a result is reused. After a longer time, a probe would report an outdated
 * state.
 */
const KEPT_MS = 1_000;

/**
 * Keeps the result or error of `find` for all callers until `KEPT_MS` after it arrived. Meanwhile
 * `find` runs only once.
 */
class Latest<T> {
  private known: { answer: Promise<T>; until: number } | null = null;

  constructor(private readonly find: () => Promise<T>) {}

  get(): Promise<T> {
    if (this.known && performance.now() < this.known.until) return this.known.answer;
    const known = { answer: this.find(), until: Infinity };
    const keep = () => void (known.until = performance.now() + KEPT_MS);
    known.answer.then(keep, keep);
    this.known = known;
    return known.answer;
  }

  /** Makes the next `get` run `find` again. */
  forget(): void {
    this.known = null;
  }
}

async function withTimeout<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), CHECK_TIMEOUT_MS);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}

const notReady = (checks: Record<string, string>, cause?: unknown) =>
  new AppError(503, 'not_ready', 'This service is not ready.', {
    details: { checks },
    headers: { 'Retry-After': '1' },
    cause,
  });

@Module({ providers: [ReadinessService], exports: [ReadinessService] })
@Global()
export class HealthModule {}

/**
 * Serves two probes. `/healthz`: the process is alive. It checks no dependencies, so that a
 * database outage does not restart every pod. `/readyz`: all checks that features added succeed,
 * for example that the database and the queue answer and every migration is applied. Its `notes`
 * are only information.
 *
 * @throws AppError 503 `not_ready` in `/readyz` if a check fails, or the service is stopping.
 */
export function serveHealth(app: INestApplication): void {
  const readiness = app.get(ReadinessService);
  const http = app.getHttpAdapter();
  http.get('/healthz', (_request: Request, response: Response) => response.json({ status: 'ok' }));
  http.get('/readyz', async (_request: Request, response: Response) => {
    const checks = await readiness.runChecks();
    response.json({ status: 'ok', checks, notes: await readiness.readNotes() });
  });
}
