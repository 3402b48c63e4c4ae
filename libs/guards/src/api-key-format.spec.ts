import { generateApiKey, parseApiKey } from './api-key-format.js';

const { key, lookup, secret } = generateApiKey();
const changed = (at: number) => `${key.slice(0, at)}${key[at] === 'A' ? 'B' : 'A'}${key.slice(at + 1)}`;

describe('an API key', () => {
  it('is read as it was made, and no two are alike', () => {
    expect(key).toMatch(/^cp_live_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/);
    expect(parseApiKey(key)).toEqual({ lookup, secret });
    expect(new Set(Array.from({ length: 1_000 }, () => generateApiKey().key)).size).toBe(1_000);
  });

  it('is refused without a look-up when any character of it is wrong', () => {
    for (let at = 0; at < key.length; at++) expect([at, parseApiKey(changed(at))]).toEqual([at, null]);
  });

  it.each(['', 'cp_live_', `${key}x`, ` ${key}`, key.slice(1), key.toLowerCase(), `${key}\n`])('is not %j', (text) => {
    expect(parseApiKey(text)).toBeNull();
  });
});
