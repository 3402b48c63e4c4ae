import { Readiness } from './health.js';
import { AppError } from './errors.js';

const refusal = async (readiness: Readiness) => {
  const error = await readiness.verify().then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AppError)) throw new Error('expected a refusal');
  return error;
};

describe('readiness', () => {
  it('names what is there', async () => {
    const readiness = new Readiness();
    readiness.add({ name: 'database', check: () => Promise.resolve() });
    readiness.add({ name: 'queue', check: () => Promise.resolve() });
    expect(await readiness.verify()).toEqual({ database: 'ok', queue: 'ok' });
  });

  it('names only what is missing, and keeps the reason for the log', async () => {
    const readiness = new Readiness();
    const reason = new Error('password authentication failed');
    readiness.add({ name: 'queue', check: () => Promise.resolve() });
    readiness.add({ name: 'database', check: () => Promise.reject(reason) });
    const { status, code, options } = await refusal(readiness);
    expect({ status, code }).toEqual({ status: 503, code: 'not_ready' });
    expect(options).toMatchObject({ details: { checks: { database: 'unavailable' } }, headers: { 'Retry-After': '1' }, cause: reason });
  });

  it('takes a check that does not answer for a failed one', async () => {
    jest.useFakeTimers();
    try {
      const readiness = new Readiness();
      readiness.add({ name: 'database', check: () => new Promise(() => undefined) });
      const refused = refusal(readiness);
      await jest.advanceTimersByTimeAsync(2_000);
      expect((await refused).options.details).toEqual({ checks: { database: 'unavailable' } });
    } finally {
      jest.useRealTimers();
    }
  });

  it('is over once the service drains, whatever the checks say', async () => {
    const readiness = new Readiness();
    readiness.add({ name: 'database', check: () => Promise.resolve() });
    readiness.drain();
    expect((await refusal(readiness)).options.details).toEqual({ checks: { shutdown: 'in progress' } });
  });
});
