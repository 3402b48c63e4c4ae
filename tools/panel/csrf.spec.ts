import { PASSWORD } from '../../apps/auth-gateway/src/testing/gateway-test.js';
import { PANEL_ORIGIN, PanelTest } from './testing/panel-test.js';

let test: PanelTest;
beforeAll(async () => (test = await PanelTest.start()));
afterAll(() => test.stop());

/** Sends a request without the headers that `TestBrowser` adds. */
const send = (method: string, path: string, headers: Record<string, string>, body?: unknown) =>
  test.panel.client().request(method, path, body, { headers });

const JSON_TYPE = { 'Content-Type': 'application/json' };
const refused = { status: 403, body: { code: 'csrf' } };

describe('what changes something', () => {
  it.each([
    ['nothing that says where it is from', {}],
    ['another origin', { Origin: 'https://evil.example' }],
    ['the origin of a file or a sandbox', { Origin: 'null' }],
    ['our origin with another port', { Origin: `${PANEL_ORIGIN}:81` }],
    ['our origin over HTTPS', { Origin: PANEL_ORIGIN.replace('http:', 'https:') }],
    ['another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['a sibling of ours', { 'Sec-Fetch-Site': 'same-site' }],
    ['the address bar', { 'Sec-Fetch-Site': 'none' }],
    ['another site that claims our origin', { 'Sec-Fetch-Site': 'cross-site', Origin: PANEL_ORIGIN }],
  ])('is refused from %s', async (_name, headers) => {
    const { browser, user } = await test.signedIn();
    const cookie = { Cookie: browser.cookie ?? '' };
    const credentials = { email: user.email, password: PASSWORD };
    expect(await send('POST', '/session', { ...JSON_TYPE, ...headers }, credentials)).toMatchObject(refused);
    expect(await send('DELETE', '/session', { ...JSON_TYPE, ...cookie, ...headers })).toMatchObject(refused);
    expect(
      await send('POST', '/api/v1/auth/sessions/revoke-others', { ...JSON_TYPE, ...cookie, ...headers }),
    ).toMatchObject(refused);
    expect(await send('POST', '/api/v1/auth/signup', { ...JSON_TYPE, ...headers }, credentials)).toMatchObject(refused);
    expect((await browser.get('/session')).status).toBe(200);
  });

  it.each([
    ['its origin', { Origin: PANEL_ORIGIN }],
    ['Sec-Fetch-Site', { 'Sec-Fetch-Site': 'same-origin' }],
    [
      'Sec-Fetch-Site, under another name of this machine',
      { 'Sec-Fetch-Site': 'same-origin', Origin: 'http://127.0.0.1:4003' },
    ],
  ])('is taken from a page of ours, by %s', async (_name, headers) => {
    const user = await test.gateway.user();
    const answer = await send(
      'POST',
      '/session',
      { ...JSON_TYPE, ...headers },
      { email: user.email, password: PASSWORD },
    );
    expect(answer.status).toBe(204);
  });

  it.each([
    undefined,
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'text/json',
  ])('is refused without a body when it claims to be %s', async (type) => {
    const { browser } = await test.signedIn();
    const headers = { Origin: PANEL_ORIGIN, Cookie: browser.cookie ?? '', ...(type && { 'Content-Type': type }) };
    expect(await send('POST', '/api/v1/auth/sessions/revoke-others', headers)).toMatchObject(refused);
    expect(await send('DELETE', '/session', headers)).toMatchObject(refused);
  });

  it('is refused as the body of a form', async () => {
    const user = await test.gateway.user();
    const body = JSON.stringify({ email: user.email, password: PASSWORD });
    const answer = await test.panel.client().post('/session', undefined, {
      raw: body,
      headers: { Origin: PANEL_ORIGIN, 'Content-Type': 'text/plain' },
    });
    expect(answer).toMatchObject(refused);
  });
});

it('lets no other site read an answer', async () => {
  const { browser } = await test.signedIn();
  const { status, headers } = await send('GET', '/session', {
    Cookie: browser.cookie ?? '',
    Origin: 'https://evil.example',
  });
  expect(status).toBe(200);
  expect(headers.get('access-control-allow-origin')).toBeNull();
  expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
  expect(headers.get('cache-control')).toBe('no-store');
});
