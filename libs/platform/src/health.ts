import { Global, Injectable, Module, type INestApplication } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AppError } from './errors.js';

/** One thing this service cannot work without. `check` rejects while it is not there. */
export interface ReadinessCheck {
  name: string;
  check: () => Promise<void>;
}

/** Tells an operator, beside the checks, how something goes. It never keeps traffic away. */
export interface ReadinessNote {
  name: string;
  read: () => Promise<number | string>;
}

/** Collects what must be reachable before traffic may come. Features add their own check when they start. */
@Injectable()
export class Readiness {
  private readonly checks: ReadinessCheck[] = [];
  private readonly noted: ReadinessNote[] = [];
  private draining = false;
  private readonly latestChecks = new Latest(() => this.check());
  private readonly latestNotes = new Latest(() => this.read());

  add(check: ReadinessCheck): void {
    this.checks.push(check);
    this.latestChecks.forget();
  }

  inform(note: ReadinessNote): void {
    this.noted.push(note);
    this.latestNotes.forget();
  }

  /** The notes of all features, read within the last second; one that cannot be read is left out. */
  notes(): Promise<Record<string, number | string>> {
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

  /** From now on the service answers 503 on /readyz, so that no new traffic is sent to it. */
  drain(): void {
    this.draining = true;
  }

  /**
   * What there is, looked at within the last second: whoever may ask, as often as they like, has it looked at no more often.
   *
   * @throws AppError 503 that names what is missing.
   */
  async verify(): Promise<Record<string, 'ok'>> {
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
/** For so long an answer is given again. Longer, a probe would not be true any more. */
const KEPT_MS = 1_000;

/** Finds something out, once at a time, and once for all who ask until a moment after. */
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

  /** What is asked next is found out anew. */
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
  new AppError(503, 'not_ready', 'This service is not ready.', { details: { checks }, headers: { 'Retry-After': '1' }, cause });

@Module({ providers: [Readiness], exports: [Readiness] })
@Global()
export class HealthModule {}

/**
 * `/healthz`: the process is alive; it says nothing about what it depends on, so that a database outage does not restart every
 * pod. `/readyz`: the database and the queue answer, and every migration is applied; `notes` say how it goes beside the checks, and keep
 * no traffic away.
 */
export function serveHealth(app: INestApplication): void {
  const readiness = app.get(Readiness);
  const http = app.getHttpAdapter();
  http.get('/healthz', (_request: Request, response: Response) => response.json({ status: 'ok' }));
  http.get('/readyz', async (_request: Request, response: Response) => {
    const checks = await readiness.verify();
    response.json({ status: 'ok', checks, notes: await readiness.notes() });
  });
}
