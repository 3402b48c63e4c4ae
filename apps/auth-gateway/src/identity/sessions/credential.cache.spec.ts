import { createLogger } from '@platform/platform';
import { CredentialCache } from './credential.cache.js';

interface Holder {
  name: string;
}

/** A cache with loads that the test answers. */
function cacheOf() {
  const answers: ((holder: Holder | null) => void)[] = [];
  const load = () => new Promise<Holder | null>((resolve) => answers.push(resolve));
  const touched: string[][] = [];
  const touch = (keys: string[]) => {
    touched.push(keys);
    return Promise.resolve();
  };
  return { cache: new CredentialCache<Holder>({ load, touch }, createLogger('cache', 'silent')), answers, touched };
}

describe('the cache of credentials', () => {
  it('reads once for 50 requests at the same time, and records their uses once', async () => {
    const { cache, answers, touched } = cacheOf();
    const found = Array.from({ length: 50 }, () => cache.findHolder('a'));
    expect(answers).toHaveLength(1);
    answers[0]?.({ name: 'Ada' });
    expect(new Set(await Promise.all(found.map((holder) => Promise.resolve(holder))))).toEqual(
      new Set([{ name: 'Ada' }]),
    );
    expect(cache.findHolder('a')).toEqual({ name: 'Ada' });
    for (const _request of found) cache.noteUse('a');
    await cache.close();
    expect(touched).toEqual([['a']]);
  });

  it.each([
    ['is forgotten', (cache: CredentialCache<Holder>) => cache.evict('a')],
    ['is meant by what is forgotten', (cache: CredentialCache<Holder>) => cache.evictWhere(() => true)],
  ])('does not keep what was read before it %s', async (_what, forget) => {
    const { cache, answers } = cacheOf();
    const before = cache.findHolder('a');
    forget(cache);
    answers[0]?.({ name: 'revoked' });
    await before;
    const after = cache.findHolder('a');
    expect(answers).toHaveLength(2);
    answers[1]?.(null);
    expect(await after).toBeNull();
    await cache.close();
  });

  it('does not remember that there is nobody', async () => {
    const { cache, answers } = cacheOf();
    const first = cache.findHolder('a');
    answers[0]?.(null);
    expect(await first).toBeNull();
    const second = cache.findHolder('a');
    answers[1]?.({ name: 'Ada' });
    expect(await second).toEqual({ name: 'Ada' });
    await cache.close();
  });
});
