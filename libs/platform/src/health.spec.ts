import { ReadinessService } from './health.js';
import { AppError } from './errors.js';

const refusal = async (readiness: ReadinessService) => {
  const error = await readiness.runChecks().then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AppError)) throw new Error('expected a refusal');
  return error;
};

describe('readiness', () => {
  it('names what is there', async () => {
    const readiness = new ReadinessService();
    readiness.addCheck({ name: 'database', check: () => Promise.resolve() });
    readiness.addCheck({ name: 'queue', check: () => Promise.resolve() });
    expect(await readiness.runChecks()).toEqual({ database: 'ok', queue: 'ok' });
  });

  it('names only what is missing, and keeps the reason for the log', async () => {
    const readiness = new ReadinessService();
    const reason = new Error('password authentication failed');
    readiness.addCheck({ name: 'queue', check: () => Promise.resolve() });
    readiness.addCheck({ name: 'database', check: () => Promise.reject(reason) });
    const { status, code, options } = await refusal(readiness);
    expect({ status, code }).toEqual({ status: 503, code: 'not_ready' });
    expect(options).toMatchObject({
      details: { checks: { database: 'unavailable' } },
      headers: { 'Retry-After': '1' },
      cause: reason,
    });
  });

  it('takes a check that does not answer for a failed one', async () => {
    jest.useFakeTimers();
    try {
      const readiness = new ReadinessService();
      readiness.addCheck({ name: 'database', check: () => new Promise(() => undefined) });
      const refused = refusal(readiness);
      await jest.advanceTimersByTimeAsync(2_000);
      expect((await refused).options.details).toEqual({ checks: { database: 'unavailable' } });
    } finally {
      jest.useRealTimers();
    }
  });

  it('is over once the service drains, whatever the checks say', async () => {
    const readiness = new ReadinessService();
    readiness.addCheck({ name: 'database', check: () => Promise.resolve() });
    readiness.drain();
    expect((await refusal(readiness)).options.details).toEqual({ checks: { shutdown: 'in progress' } });
  });

  describe('that many ask for at once', () => {
    let now = 0;
    beforeEach(() => jest.spyOn(performance, 'now').mockImplementation(() => now));
    afterEach(() => jest.restoreAllMocks());

    function counted(): { readiness: ReadinessService; looked: () => number; state: { isThere: boolean } } {
      const readiness = new ReadinessService();
      const state = { isThere: true };
      let looks = 0;
      const look = async () => {
        looks++;
        await Promise.resolve();
        if (!state.isThere) throw new Error('away');
      };
      readiness.addCheck({ name: 'database', check: look });
      readiness.addNote({ name: 'apps', read: () => look().then(() => looks) });
      return { readiness, looked: () => looks, state };
    }
    const hundred = <T>(ask: () => Promise<T>) => Promise.all(Array.from({ length: 100 }, ask));

    it('is looked at once, and again a second later', async () => {
      const { readiness, looked, state } = counted();
      expect(await hundred(() => readiness.runChecks())).toEqual(
        Array.from({ length: 100 }, () => ({ database: 'ok' })),
      );
      expect(looked()).toBe(1);
      expect(await hundred(() => readiness.readNotes())).toEqual(Array.from({ length: 100 }, () => ({ apps: 2 })));
      expect(looked()).toBe(2);
      state.isThere = false;
      now += 999;
      expect(await readiness.runChecks()).toEqual({ database: 'ok' });
      expect(looked()).toBe(2);
      now += 1;
      expect(await hundred(() => refusal(readiness).then(({ status }) => status))).toEqual(
        Array.from({ length: 100 }, () => 503),
      );
      expect(looked()).toBe(3);
    });

    it('is told again a second after it has come back, and at once when the service drains', async () => {
      const { readiness, state } = counted();
      state.isThere = false;
      await refusal(readiness);
      state.isThere = true;
      expect((await refusal(readiness)).status).toBe(503);
      now += 1_000;
      expect(await readiness.runChecks()).toEqual({ database: 'ok' });
      readiness.drain();
      expect((await refusal(readiness)).options.details).toEqual({ checks: { shutdown: 'in progress' } });
    });
  });
});
