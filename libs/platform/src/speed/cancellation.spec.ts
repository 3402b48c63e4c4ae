import { abortSignalOf, Cancellation, withinTime } from './cancellation.js';

const timeout = () => new Error('too late');
const never = () => new Promise<never>(() => undefined);

describe('Cancellation', () => {
  it('is aborted once, for the first reason, and tells each listener once', () => {
    const cancellation = new Cancellation();
    const told: unknown[] = [];
    const removed = () => told.push('removed');
    cancellation.addEventListener('abort', () => told.push(cancellation.reason));
    cancellation.addEventListener('abort', removed);
    cancellation.removeEventListener('abort', removed);
    cancellation.throwIfAborted();
    cancellation.abort('first');
    cancellation.abort('second');
    cancellation.addEventListener('abort', () => told.push('late'));
    expect(told).toEqual(['first']);
    expect(cancellation).toMatchObject({ aborted: true, reason: 'first' });
    expect(() => cancellation.throwIfAborted()).toThrow('first');
  });

  it('says AbortError when it is told nothing', () => {
    const cancellation = new Cancellation();
    cancellation.abort();
    expect(cancellation.reason).toMatchObject({ name: 'AbortError' });
  });

  it('becomes an AbortSignal, before and after', () => {
    const cancellation = new Cancellation();
    const signal = abortSignalOf(cancellation);
    expect(signal.aborted).toBe(false);
    cancellation.abort('over');
    for (const one of [signal, abortSignalOf(cancellation)])
      expect(one).toMatchObject({ aborted: true, reason: 'over' });
    const { signal: given } = new AbortController();
    expect(abortSignalOf(given)).toBe(given);
  });
});

describe('withinTime', () => {
  it('gives what the work gives, and throws what it throws', async () => {
    expect(await withinTime({ ms: 1_000, timeout }, () => Promise.resolve(7))).toBe(7);
    const clearTimer = jest.spyOn(global, 'clearTimeout');
    const broken = () => {
      throw new Error('broken');
    };
    for (const work of [broken, () => Promise.reject(new Error('broken'))]) {
      await expect(withinTime({ ms: 1_000, timeout }, work)).rejects.toThrow('broken');
      await Promise.resolve();
    }
    expect(clearTimer).toHaveBeenCalledTimes(2);
    clearTimer.mockRestore();
  });

  it('ends the work when its time is over', async () => {
    let reason: unknown;
    const work = withinTime({ ms: 1, timeout }, (signal) => {
      signal.addEventListener('abort', () => (reason = signal.reason));
      return never();
    });
    await expect(work).rejects.toThrow('too late');
    expect(reason).toEqual(timeout());
  });

  it('ends the work with the signal, for its reason or for another', async () => {
    for (const cancelled of [undefined, () => new Error('gone')]) {
      const signal = new Cancellation();
      let wasAborted = false;
      const work = withinTime({ ms: 10_000, timeout, signal, ...(cancelled && { cancelled }) }, (limit) => {
        limit.addEventListener('abort', () => (wasAborted = true));
        return never();
      });
      signal.abort(new Error('because'));
      await expect(work).rejects.toThrow(cancelled ? 'gone' : 'because');
      expect(wasAborted).toBe(true);
      const later = jest.fn(never);
      await expect(withinTime({ ms: 10_000, timeout, signal }, later)).rejects.toThrow('because');
      expect(later).not.toHaveBeenCalled();
    }
  });

  it('leaves no listener behind', async () => {
    const { signal } = new AbortController();
    const removed = jest.spyOn(signal, 'removeEventListener');
    await withinTime({ ms: 1_000, timeout, signal }, () => Promise.resolve());
    await Promise.resolve();
    expect(removed).toHaveBeenCalledTimes(1);
  });
});
