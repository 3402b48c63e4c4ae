import { Global, Injectable, Module, type INestApplication } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AppError } from './errors.js';

/** One thing this service cannot work without. `check` rejects while it is not there. */
export interface ReadinessCheck {
  name: string;
  check: () => Promise<void>;
}

/** What an operator should see beside the checks. It never keeps traffic away. */
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

  add(check: ReadinessCheck): void {
    this.checks.push(check);
  }

  inform(note: ReadinessNote): void {
    this.noted.push(note);
  }

  /** The notes of all features; one that cannot be read is left out. */
  async notes(): Promise<Record<string, number | string>> {
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

  /** @throws AppError 503 that names what is missing. */
  async verify(): Promise<Record<string, 'ok'>> {
    if (this.draining) throw notReady({ shutdown: 'in progress' });
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
 * pod. `/readyz`: the database and the queue answer, and every migration is applied; `notes` say what is not as it should be and
 * keeps no traffic away.
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
