import { isReadableByOthers, parseServerUrl } from './server-url.js';

describe('the address of a platform', () => {
  it.each([
    ['http://localhost:4000', 'http://localhost:4000'],
    ['HTTPS://Platform.Example.com/', 'https://platform.example.com'],
    ['https://example.com/platform/', 'https://example.com/platform'],
  ])('%s is used as %s', (text, url) => {
    expect(parseServerUrl(text)).toBe(url);
  });

  it.each([
    ['localhost', 'an address such as'],
    ['', 'an address such as'],
    ['ftp://example.com', 'https:// or http://'],
    ['localhost:4000', 'https:// or http://'],
    ['https://ada:secret@example.com', 'not contain a name or password'],
    ['https://example.com/?a=b', 'not contain ? or #'],
    ['https://example.com/#a', 'not contain ? or #'],
  ])('%j is refused', (text, reason) => {
    expect(() => parseServerUrl(text)).toThrow(reason);
  });

  it.each([
    ['http://localhost:4000', false],
    ['http://127.0.0.1', false],
    ['http://[::1]:4000', false],
    ['https://example.com', false],
    ['http://example.com', true],
    ['http://localhost.example.com', true],
    ['http://127.example.com', true],
  ])('others can read what is sent to %s: %s', (url, expected) => {
    expect(isReadableByOthers(url)).toBe(expected);
  });
});
