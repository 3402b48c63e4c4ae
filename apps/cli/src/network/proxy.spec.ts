import { CommandError } from '../failures.js';
import { proxyFor, proxyNote } from './proxy.js';

const HTTPS = 'https://platform.example.com/v1';
const HTTP = 'http://platform.example.com/v1';

const chosen = (url: string, env: Record<string, string>) => {
  const proxy = proxyFor(url, env);
  return proxy && `${proxy.origin} ${proxy.variable}`;
};

describe('the proxy for an address', () => {
  it.each<[string, string, Record<string, string>, string | null]>([
    ['none', HTTPS, {}, null],
    ['of its scheme', HTTPS, { HTTPS_PROXY: 'http://a:3128', HTTP_PROXY: 'http://b:1' }, 'http://a:3128 HTTPS_PROXY'],
    ['of its scheme', HTTP, { HTTPS_PROXY: 'http://a:3128', HTTP_PROXY: 'http://b:1' }, 'http://b:1 HTTP_PROXY'],
    ['of no other scheme', HTTPS, { HTTP_PROXY: 'http://b:1' }, null],
    ['of no other scheme', HTTP, { HTTPS_PROXY: 'http://a:1' }, null],
    ['in lower case', HTTPS, { https_proxy: 'http://a:1' }, 'http://a:1 https_proxy'],
    [
      'in lower case before upper case',
      HTTPS,
      { https_proxy: 'http://a:1', HTTPS_PROXY: 'http://b:1' },
      'http://a:1 https_proxy',
    ],
    [
      'that is not empty',
      HTTPS,
      { https_proxy: '', HTTPS_PROXY: ' ', ALL_PROXY: 'http://c:1' },
      'http://c:1 ALL_PROXY',
    ],
    ['for all', HTTP, { all_proxy: 'https://c' }, 'https://c all_proxy'],
    [
      'for all, but for its scheme',
      HTTP,
      { all_proxy: 'http://c:1', HTTP_PROXY: 'http://b:1' },
      'http://b:1 HTTP_PROXY',
    ],
    ['without a scheme', HTTPS, { HTTPS_PROXY: 'proxy:3128' }, 'http://proxy:3128 HTTPS_PROXY'],
    ['with a slash', HTTPS, { HTTPS_PROXY: 'http://proxy:3128/' }, 'http://proxy:3128 HTTPS_PROXY'],
    ['with a password', HTTPS, { HTTPS_PROXY: 'http://ada:hunter2@proxy:3128' }, 'http://proxy:3128 HTTPS_PROXY'],
    ['in IPv6', HTTPS, { HTTPS_PROXY: 'http://[::1]:3128' }, 'http://[::1]:3128 HTTPS_PROXY'],
  ])('is the one %s: %s %j', (_what, url, env, expected) => expect(chosen(url, env)).toBe(expected));

  it.each([
    ['*', HTTPS],
    ['platform.example.com', HTTPS],
    ['example.com', HTTPS],
    ['.example.com', HTTPS],
    ['*.example.com', HTTPS],
    ['EXAMPLE.com.', HTTPS],
    ['localhost, example.com', HTTPS],
    ['localhost example.com', HTTPS],
    ['example.com:443', HTTPS],
    ['platform.example.com:8443', 'https://platform.example.com:8443/'],
    ['127.0.0.1', 'http://127.0.0.1:4000/'],
    ['127.0.0.0/8', 'http://127.1.2.3:4000/'],
    ['::1', 'http://[::1]:4000/'],
    ['[::1]', 'http://[::1]:4000/'],
    ['[::1]:4000', 'http://[::1]:4000/'],
    ['fd00::/8', 'http://[fd12::1]/'],
  ])('is none by NO_PROXY=%s for %s', (NO_PROXY, url) => {
    expect(chosen(url, { ALL_PROXY: 'http://proxy:1', NO_PROXY })).toBeNull();
    expect(chosen(url, { ALL_PROXY: 'http://proxy:1', no_proxy: NO_PROXY, NO_PROXY: 'other' })).toBeNull();
  });

  it.each([
    ['', HTTPS],
    [' , ', HTTPS],
    ['example.org', HTTPS],
    ['form.example.com', HTTPS],
    ['example.com:80', HTTPS],
    ['10.0.0.0/8', 'http://11.0.0.1/'],
    ['0.0.1', 'http://127.0.0.1/'],
    ['1.0.0.0/99', 'http://1.0.0.0.example/'],
    ['::1', 'http://127.0.0.1/'],
  ])('is there in spite of NO_PROXY=%j for %s', (NO_PROXY, url) => {
    expect(chosen(url, { ALL_PROXY: 'http://proxy:1', NO_PROXY })).toBe('http://proxy:1 ALL_PROXY');
  });

  it.each([
    ['ada:hunter2', 'ada:hunter2'],
    ['ada:p%40ss%2Fword', 'ada:p@ss/word'],
    ['ada:100%', 'ada:100%'],
    ['ada', 'ada:'],
    [':token', ':token'],
  ])('gets the name and the password that are in its address: %s', (sent, credentials) => {
    const proxy = proxyFor(HTTPS, { HTTPS_PROXY: `http://${sent}@proxy:3128` });
    expect(proxy?.authorization).toBe(`Basic ${Buffer.from(credentials).toString('base64')}`);
  });

  it.each([
    'http://',
    'http://ada:hunter2@',
    'ftp://ada:hunter2@proxy',
    'socks5://ada:hunter2@proxy:1080',
    'http://ada:hunter2@proxy:99999',
    '://hunter2',
  ])('is refused, without what is in it, where it is none: %s', (HTTPS_PROXY) => {
    expect(() => proxyFor(HTTPS, { HTTPS_PROXY })).toThrow(CommandError);
    expect(() => proxyFor(HTTPS, { HTTPS_PROXY })).toThrow(/^HTTPS_PROXY is not a valid proxy address(?!.*hunter2)/);
    expect(proxyNote(HTTPS, { HTTPS_PROXY })).toBe('');
    expect(proxyFor(HTTP, { HTTPS_PROXY })).toBeNull();
  });

  it('is told to a person without its password', () => {
    expect(proxyNote(HTTPS, { HTTPS_PROXY: 'http://ada:hunter2@proxy:3128' })).toBe(
      'The request uses the proxy http://proxy:3128 from the variable HTTPS_PROXY.',
    );
    expect(proxyNote(HTTPS, {})).toBe('');
  });
});
