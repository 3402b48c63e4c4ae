import { newId } from '@platform/platform';
import {
  OpenApiValidator,
  type DocumentedRoute,
  listDocumentedRoutes,
  type RequestOptions,
  type TestResponse,
  TestService,
  generateValues,
} from '@platform/testing';
import { loadConfig } from './config.js';
import { extWebhookHost } from './service.js';
import { TestApps, type TestHandler, type TestWebhook } from './testing/test-apps.js';

/** Fixed seed; set `SEED` to try others. */
const SEED = Number(process.env['SEED'] ?? 18);
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
const WITHOUT_BODY: readonly string[] = ['GET', 'OPTIONS'];

let service: TestService;
/** An app in the marketplace, and one outside of it. */
const [live, draft] = [newId('app').replace('_', '-'), newId('app').replace('_', '-')];
const declared = new OpenApiValidator('ext-webhook-host');
beforeAll(async () => {
  service = await TestService.start((env) => extWebhookHost(loadConfig(env)));
  const apps = new TestApps(service);
  const each = (path: string, handler: TestHandler): TestWebhook[] =>
    METHODS.map((method) => ({ path: `${path}/${method.toLowerCase()}`, method, handler }));
  const webhooks = [
    ...each('orders', () => ({ body: { ok: true } })),
    ...each('wrong', () => ({ status_code: 99 })),
    ...METHODS.filter((method) => !WITHOUT_BODY.includes(method)).map((method) => ({
      path: `inbox/${method.toLowerCase()}`,
      method,
      inbox: true,
      handler: () => null,
    })),
  ];
  apps.deploy(live, webhooks);
  apps.deploy(draft, webhooks, { isActive: false });
});
afterAll(() => service.stop());

/**
 * Describes an undeclared answer. Answers of handlers are free, but must not be errors of the
 * host.
 */
function faultOf({ method, path }: DocumentedRoute, answer: TestResponse<unknown>): string | null {
  const isHandlers = answer.status === 200 || answer.status === 202;
  if (isHandlers) return null;
  if (answer.status >= 500 && (answer.body as { code?: string }).code !== 'webhook.bad_response')
    return `answers ${answer.status}`;
  return declared.findFault(method, path, answer);
}

const TYPES = [
  'application/json',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'x',
  'a/b; charset=ä',
];
const PATHS = ['a', 'a/b/../c', 'ä', '\u202e', '%2e%2e', 'x'.repeat(300), '9'.repeat(25), '//', "'; --"];

describe(`generated requests (seed ${SEED})`, () => {
  const routes = listDocumentedRoutes('ext-webhook-host');
  it.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s: answers as it is documented',
    async (_name, route) => {
      const own = route.path.includes('draft') ? draft : live;
      const method = route.method.toLowerCase();
      const faults: string[] = [];
      const send = async (
        what: string,
        {
          app = own,
          at = `orders/${method}`,
          search = '',
          body,
          ...options
        }: RequestOptions & { app?: string; at?: string; search?: string; body?: unknown } = {},
      ) => {
        const path = route.path
          .replace('{app_id}', encodeURIComponent(app))
          .replace('{path}', () => at.split('/').map(encodeURIComponent).join('/'));
        const fault = faultOf(route, await service.client().request(route.method, `${path}${search}`, body, options));
        if (fault) faults.push(`${what}: ${fault}`);
      };
      const takesBody = !WITHOUT_BODY.includes(route.method);
      await send(
        'what is right',
        takesBody ? { body: { event: 'order.paid', id: '4711' } } : { search: '?challenge=4711' },
      );
      for (const [what, value] of generateValues({ type: ['string', 'integer', 'object'] }, SEED)) {
        const raw = typeof value === 'string' ? value : JSON.stringify(value);
        const search = `?${new URLSearchParams({ [raw]: raw }).toString()}`;
        for (const at of [`orders/${method}`, `inbox/${method}`])
          await send(what, takesBody ? { at, raw, search } : { at, search });
      }
      for (const type of takesBody ? TYPES : [])
        await send(type, { raw: 'x', headers: { 'Content-Type': encodeURI(type) } });
      for (const at of PATHS) await send(`the path ${at}`, { at });
      for (const app of [draft, live, newId('app'), ...PATHS]) await send(`the app ${app}`, { app });
      for (const at of METHODS) await send(`the webhook for ${at}`, { at: `orders/${at.toLowerCase()}` });
      await send('a handler that answers wrongly', { at: `wrong/${method}` });
      expect(faults).toEqual([]);
    },
  );

  it('nothing was unexpected', () => {
    const isUnexpected = (line: string) => line.includes('"level":"error"') && !line.includes('/webhook/wrong/');
    expect(service.logLines.filter(isUnexpected)).toEqual([]);
  });
});
