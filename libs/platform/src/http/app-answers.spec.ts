import { appContentHeaders, appLocation, isAppHeader, isFromProgram, REDIRECT_HOST } from './app-answers.js';

describe('a header of an app', () => {
  it.each(['x-hook-secret', 'x-number', 'etag', 'retry-after', 'content-disposition', 'x-a_b'])('may be %s', (name) => {
    expect(isAppHeader(name, false)).toBe(true);
  });

  it('may ask a program who it is, and no browser', () => {
    expect([isAppHeader('www-authenticate', true), isAppHeader('www-authenticate', false)]).toEqual([true, false]);
  });

  it.each([
    ...[
      'set-cookie',
      'set-cookie2',
      'refresh',
      'link',
      'location',
      'content-type',
      'content-encoding',
      'content-length',
      'transfer-encoding',
    ],
    ...[
      'cache-control',
      'expires',
      'pragma',
      'vary',
      'age',
      'surrogate-control',
      'cdn-cache-control',
      'clear-site-data',
      'date',
      'server',
    ],
    ...[
      'content-security-policy',
      'content-security-policy-report-only',
      'x-content-security-policy',
      'x-webkit-csp',
      'referrer-policy',
    ],
    ...[
      'access-control-allow-origin',
      'cross-origin-resource-policy',
      'cross-origin-opener-policy',
      'permissions-policy',
      'feature-policy',
    ],
    ...[
      'strict-transport-security',
      'public-key-pins',
      'expect-ct',
      'alt-svc',
      'nel',
      'report-to',
      'reporting-endpoints',
      'sourcemap',
    ],
    ...[
      'service-worker-allowed',
      'service-worker',
      'origin-agent-cluster',
      'speculation-rules',
      'accept-ch',
      'critical-ch',
      'no-vary-search',
    ],
    ...[
      'www-authenticate',
      'proxy-authenticate',
      'authentication-info',
      'upgrade',
      'connection',
      'trailer',
      'keep-alive',
      'te',
      'early-data',
    ],
    ...[
      'x-frame-options',
      'x-content-type-options',
      'x-xss-protection',
      'x-dns-prefetch-control',
      'x-permitted-cross-domain-policies',
    ],
    ...[
      'x-download-options',
      'x-ua-compatible',
      'x-sourcemap',
      'x-robots-tag',
      'x-powered-by',
      'x-request-id',
      'x-forwarded-for',
    ],
    ...[
      'x-accel-redirect',
      'x-accel-buffering',
      'x-sendfile',
      'x-lighttpd-send-file',
      'x-litespeed-location',
      'x-reproxy-url',
    ],
    ...[
      'x-archive-files',
      'x-amz-meta',
      'x-original-url',
      'x-rewrite-url',
      'x-http-method-override',
      'x-real-ip',
      'x-cache-status',
    ],
    ...[
      'x-service-token',
      'x-acting-user',
      'x-platform-redirect-host',
      'x-',
      'x--a',
      'x-a\r\nb',
      'X-Upper',
      '',
      'x',
      'x_a',
      '__proto__',
    ],
  ])('is never %j', (name) => {
    expect(isAppHeader(name, false)).toBe(false);
  });
});

describe('the type of what an app answers', () => {
  it.each([
    'application/json',
    'application/problem+json; charset=utf-8',
    'application/vnd.api+json',
    'Application/JSON;charset="UTF-8"',
    'text/plain',
    'text/plain; charset=iso-8859-1',
    'text/csv',
    'application/octet-stream',
    'image/png',
    'application/json;',
    'application/ld+json; profile="https://www.w3.org/ns/activitystreams"',
    'text/plain; charset=utf-8; version=0.0.4',
  ])('stays %s', (type) => expect(appContentHeaders(type)).toEqual({ 'content-type': type }));

  it.each([
    ...[
      'text/xml',
      'application/xml; charset=utf-8',
      'TEXT/XML',
      'text/xml;charset="utf-8"',
      'application/rss+xml',
      'application/ssml+xml',
    ],
    ...[
      'application/soap+xml; charset=utf-8; action="urn:a:b"',
      'application/vnd.ms-sync.wbxml+xml',
      'application/atom+xml;type=entry',
    ],
    ...[
      'audio/mpeg',
      'video/mp4',
      'application/pdf',
      'application/zip',
      'application/x-protobuf',
      'application/cbor',
      'text/calendar',
    ],
  ])('stays %s, for a browser to save', (type) => {
    expect(appContentHeaders(type)).toEqual({ 'content-type': type, 'content-disposition': 'attachment' });
  });

  it.each([
    ['attachment; filename="call.xml"', 'attachment; filename="call.xml"'],
    ['Attachment', 'Attachment'],
    ['inline', 'attachment'],
    ['attachment-not', 'attachment'],
    ['inline; attachment', 'attachment'],
    ['', 'attachment'],
  ])('may come with a name, and never to be shown: %j', (disposition, expected) => {
    expect(appContentHeaders('text/xml', disposition)['content-disposition']).toBe(expected);
  });

  it.each([
    ...[
      'text/html',
      'TEXT/HTML; charset=utf-8',
      'application/xhtml+xml',
      'image/svg+xml',
      'application/vnd.wap.xhtml+xml',
      'application/xslt+xml',
    ],
    ...[
      'text/javascript',
      'application/javascript',
      'application/x-ecmascript',
      'module',
      'text/css',
      'application/wasm',
      'text/xsl',
    ],
    ...['application/x-shockwave-flash', 'multipart/x-mixed-replace; boundary=a', 'text/cache-manifest', 'text/vtt'],
    ...[
      'application/json, text/html',
      'text/plain; charset=utf-8, text/html',
      'text/xml, text/html',
      'text/plain;a="b,text/html"',
      'text/plain; charset=utf-7;x',
      'text/plain;;charset',
      'text/plain\n',
      'text/xml\n; charset=utf-8',
      'text/plain\u00a0; charset=utf-8',
      'text/plain;\u00a0charset=utf-8',
      `text/plain;a=${'b'.repeat(256)}`,
    ],
    ...[
      'text',
      '/',
      '',
      '*/*',
      'application/html+json/x',
      'unknown/unknown',
      'application/speculationrules',
      'text/event-stream',
    ],
    ...['application/manifest'],
  ])('is plain text instead of %j', (type) =>
    expect(appContentHeaders(type)).toEqual({ 'content-type': 'text/plain; charset=utf-8' }),
  );
});

describe('a request', () => {
  it.each<[string, string, Record<string, string>, boolean]>([
    ['a POST', 'POST', { 'user-agent': 'TwilioProxy/1.1' }, true],
    ['a GET, which a link makes', 'GET', {}, false],
    ['a form of a page', 'POST', { origin: 'https://elsewhere.example' }, false],
    ['a form of a page without an origin', 'POST', { origin: 'null' }, false],
    ['a form of the same site', 'POST', { 'sec-fetch-site': 'same-origin' }, false],
  ])('is from a program: %s', (_what, method, headers, expected) => {
    expect(isFromProgram(method, headers)).toBe(expected);
  });
});

describe('where an app may lead', () => {
  const BASE = 'https://panel.example/v1/ext/app/webhook/in';
  const HOSTS = ['done.example', 'other.example:8443'];

  it.each([
    ['/settings?a=b#c', 'https://panel.example/settings?a=b#c'],
    ['done', 'https://panel.example/v1/ext/app/webhook/done'],
    ['https://panel.example/x', 'https://panel.example/x'],
    ['https://PANEL.example:443/x', 'https://panel.example/x'],
    ['https:evil.example', 'https://panel.example/v1/ext/app/webhook/evil.example'],
    ['https://done.example', 'https://done.example/'],
    ['https://DONE.example/a?b=https://evil.example', 'https://done.example/a?b=https://evil.example'],
    ['//done.example/a', 'https://done.example/a'],
    ['https://other.example:8443/', 'https://other.example:8443/'],
  ])('is %s', (location, expected) => expect(appLocation(location, BASE, HOSTS)).toBe(expected));

  it.each([
    ...['https://evil.example/', '//evil.example', 'https://evil.example\\@done.example'],
    ...[
      '\\\\evil.example',
      '/\\evil.example',
      '/\t/evil.example',
      ' https://evil.example',
      'https://done.example\n',
      'https://done.example/ a',
    ],
    ...[
      'https://done.example@evil.example',
      'https://user@done.example/',
      'https://user:pass@panel.example/',
      'https://done.example.evil.example',
    ],
    ...[
      'https://evildone.example',
      'https://sub.done.example',
      'http://done.example/',
      'http://panel.example/',
      'https://panel.example:444/',
    ],
    ...[
      'https://done.example:444/',
      'https://other.example/',
      'javascript:alert(1)',
      'data:text/html,x',
      'blob:https://panel.example/x',
      '',
    ],
    ...[
      'https://donе.example',
      'https://',
      'ftp://done.example/',
      'https://done.example:99999/',
      'about:blank',
      'x:/y',
    ],
  ])('is never %j', (location) => expect(appLocation(location, BASE, HOSTS)).toBeNull());

  it.each(['done.example', 'a.b.example:8443', 'xn--bcher-kva.example'])('may be declared as %s', (host) => {
    expect(host).toMatch(REDIRECT_HOST);
  });

  it.each([
    '',
    '*',
    '*.example',
    'localhost',
    'https://a.example',
    'a.example/',
    'A.example',
    'a..example',
    '.example',
    'a.example:',
    'u@a.example',
  ])('is not declared as %j', (host) => expect(host).not.toMatch(REDIRECT_HOST));
});
