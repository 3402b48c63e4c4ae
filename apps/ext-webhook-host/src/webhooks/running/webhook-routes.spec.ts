import { WebhookRoutes } from './webhook-routes.js';

const routes = new WebhookRoutes([
  { path: 'push', method: 'POST', is: 'first' },
  { path: '/push/', method: 'POST', is: 'later' },
  { path: 'oauth/callback', method: 'GET', is: 'redirect' },
  { path: 'both', method: 'GET', is: 'get' },
  { path: 'both', method: 'POST', is: 'post' },
  { path: 'several', method: ['GET', 'POST'], is: 'several' },
  { path: 'several', method: 'POST', is: 'later' },
  { path: 'handshake', method: ['HEAD', 'PATCH', 'OPTIONS'], is: 'handshake' },
]);
const found = (is: string) =>
  expect.objectContaining({ webhook: expect.objectContaining({ is }) as unknown }) as unknown;

describe('a webhook', () => {
  it.each(['push', '/push', 'push/', '/push/'])('is found at %s, the one that was registered last', (path) => {
    expect(routes.match('POST', path)).toEqual(found('later'));
  });

  it('is found at a path of several parts', () => {
    expect(routes.match('GET', '/oauth/callback')).toEqual(found('redirect'));
  });

  it('shares its path with those of other methods', () => {
    expect(routes.match('POST', 'both')).toEqual(found('post'));
    expect(routes.match('GET', 'both')).toEqual(found('get'));
    expect(routes.match('PUT', 'both')).toEqual({ allow: 'GET, HEAD, POST' });
  });

  it('may take several methods, but for those that a later one takes', () => {
    expect(['GET', 'POST', 'DELETE'].map((method) => routes.match(method, 'several'))).toEqual([
      found('several'),
      found('later'),
      { allow: 'GET, HEAD, POST' },
    ]);
  });

  it('says which method it takes', () => {
    expect(routes.match('GET', 'push')).toEqual({ allow: 'POST' });
    expect(routes.match('POST', 'oauth/callback')).toEqual({ allow: 'GET, HEAD' });
    expect(routes.match('HEAD', 'push')).toEqual({ allow: 'POST' });
    expect(routes.match('OPTIONS', 'handshake')).toMatchObject({ method: 'OPTIONS' });
    expect(routes.match('GET', 'handshake')).toEqual({ allow: 'HEAD, PATCH, OPTIONS' });
  });

  it('takes a HEAD as its GET, where none takes HEAD itself', () => {
    expect(routes.match('HEAD', 'oauth/callback')).toMatchObject({ webhook: { is: 'redirect' }, method: 'GET' });
    expect(routes.match('HEAD', 'handshake')).toMatchObject({ webhook: { is: 'handshake' }, method: 'HEAD' });
  });

  it.each([
    '',
    '/',
    'unknown',
    'Push',
    'push/more',
    '//push',
    'push//',
    'oauth//callback',
    'oauth%2Fcallback',
    'oauth%2fcallback',
    '%70ush',
    './push',
    'x/../push',
    '%2e%2e/push',
    '../push',
    'push\0',
    'push;x=1',
    'constructor',
    '__proto__',
  ])('is not found at %j', (path) => {
    expect(routes.match('POST', path)).toBeNull();
  });
});
