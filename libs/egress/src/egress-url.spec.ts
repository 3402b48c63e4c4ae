import { addressAndPort, addressesAndPorts, parseEgressUrl } from './egress-url.js';

function refusal(url: string): unknown {
  try {
    return parseEgressUrl(url);
  } catch (error) {
    return error;
  }
}

describe('egressUrl', () => {
  it.each([
    'https://example.com',
    'http://example.com:80/a?b',
    'https://example.com:8443',
    'http://[2606:4700::1]:3000/',
  ])('takes %s', (url) => {
    expect(parseEgressUrl(url).href).toBe(new URL(url).href);
  });

  it.each([
    ['no URL', 'example.com'],
    ['no URL', ''],
    ['no URL', 'http://'],
    ['another scheme', 'ftp://example.com'],
    ['another scheme', 'file:///etc/passwd'],
    ['another scheme', 'gopher://example.com:6379/_SET'],
    ['another scheme', 'javascript:alert(1)'],
    ['another scheme', 'data:text/plain,x'],
    ['a name', 'https://user@example.com'],
    ['a password', 'https://user:password@example.com'],
    ['a disguised host', 'https://example.com@127.0.0.1'],
    ['SSH', 'http://example.com:22'],
    ['SMTP', 'http://example.com:25'],
    ['a port below 1024', 'https://example.com:993'],
    ['IRC', 'http://example.com:6667'],
    ['SIP', 'http://example.com:5060'],
    ['too long', `https://example.com/${'a'.repeat(8_192)}`],
  ])('refuses %s: %s', (_what, url) => {
    expect(refusal(url)).toMatchObject({ code: 'EGRESS_URL_REFUSED' });
  });

  it('does not repeat what may be a secret', () => {
    expect((refusal('https://user:hunter2@example.com?key=hunter3') as Error).message).not.toContain('hunter');
  });
});

describe('addressesAndPorts', () => {
  const parse = (input: string) => [...addressesAndPorts()._parse(input)];

  it('reads addresses with their ports', () => {
    expect(parse('127.0.0.1:9000, [::1]:80')).toEqual([
      addressAndPort('127.0.0.1', 9000),
      addressAndPort('0:0::1', 80),
    ]);
  });

  it.each(['127.0.0.1', 'localhost:80', '::1:80', '127.0.0.1:99999', '127.0.0.1:', '10.0.0.0/8:80', ','])(
    'refuses %s',
    (input) => {
      expect(() => parse(input)).toThrow('expected address:port');
    },
  );
});
