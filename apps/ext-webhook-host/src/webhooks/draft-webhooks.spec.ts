import type { JsonObject } from '@platform/app-document';
import type { WebhookDeliveryDetail } from '@platform/contracts';
import { until } from '@platform/testing';
import type { DeployedApp } from '../kernel/deployed/deployed-apps.service.js';
import { functionOf, HostTest, step, userNamed } from '../testing/host.js';
import { webhookInboxQueue } from './inbox/webhook-inbox.jobs.js';

let host: HostTest;
let backoff: jest.SpiedFunction<typeof webhookInboxQueue.backoff>;
beforeAll(async () => {
  backoff = jest.spyOn(webhookInboxQueue, 'backoff').mockReturnValue(1);
  host = await HostTest.start();
});
afterEach(() => (host.gateway.isAway = false));
afterAll(() => host.stop());

const DRAFT = { is_active: false };
const code = (entry: string): JsonObject => ({ code: { module: 'main', entry } });
const hook = (path: string, params: JsonObject = code('hook')): JsonObject =>
  step(path.replaceAll('/', '_'), `webhook.${path}`, params);
/** Deploys webhooks that answer with the export `hook` of `main`. */
const deploy = (main: string, changes: Partial<DeployedApp> = {}, steps: JsonObject[] = [hook('in')]): DeployedApp =>
  host.deploy({ modules: { main: `export const hook = ${main};` }, steps }, { ...DRAFT, ...changes });
const says = (text: string) => `() => ({ body: '${text}' })`;
const published = (app: DeployedApp) => host.gateway.apps.set(app.app_id, { ...app, is_active: true });
const live = ({ app_id }: DeployedApp, path = 'in') => `/v1/ext/${app_id}/webhook/${path}`;
const draft = ({ app_id }: DeployedApp, path = 'in') => `/v1/ext/${app_id}/draft/webhook/${path}`;
const post = async (address: string) => {
  const { status, body } = await host.service.client().post(address, {});
  return [status, status === 404 ? (body as { code: string }).code : body];
};
const NONE = [404, 'webhook.not_found'];

describe('the webhooks of an app that is not published', () => {
  it('answer at the address of the draft, and the others at the live one, each at once', async () => {
    const app = deploy(says('one'));
    expect([await post(draft(app)), await post(live(app))]).toEqual([[200, 'one'], NONE]);
    published(app);
    expect([await post(live(app)), await post(draft(app))]).toEqual([[200, 'one'], NONE]);
    host.gateway.apps.set(app.app_id, app);
    expect(await post(draft(app))).toEqual([200, 'one']);
  });

  it('are those of the version that was deployed a moment ago', async () => {
    const app = deploy(says('one'));
    expect(await post(draft(app))).toEqual([200, 'one']);
    deploy(says('two'), { app_id: app.app_id, version: '1.0.1' }, [hook('in'), hook('more')]);
    expect([await post(draft(app)), await post(draft(app, 'more'))]).toEqual([
      [200, 'two'],
      [200, 'two'],
    ]);
  });

  it('do not answer while nothing of it may run', async () => {
    const app = deploy(says('one'), { is_suspended: true });
    expect(await post(draft(app))).toEqual(NONE);
    host.gateway.apps.set(app.app_id, { ...app, is_suspended: false });
    expect(await post(draft(app))).toEqual([200, 'one']);
  });

  it('have no other spelling of the address', async () => {
    const app = deploy(says('one'));
    const addresses = [
      'Draft/webhook/in',
      'draft/in',
      'webhook/draft/in',
      'draft//webhook/in',
      '%64raft/webhook/in',
      'draft/draft/webhook/in',
    ];
    for (const address of addresses) {
      expect((await host.service.client().post(`/v1/ext/${app.app_id}/${address}`, {})).status).toBe(404);
    }
  });
});

describe('the address that a handler is told', () => {
  const TELLS = `(_event, ctx) => ({ body: ctx.webhookUrl('/in') })`;
  const at = (app: DeployedApp, path: (app: DeployedApp) => string) => [200, `https://panel.example${path(app)}`];

  it('is the one of its channel: in webhooks', async () => {
    const app = deploy(TELLS);
    expect(await post(draft(app))).toEqual(at(app, draft));
    published(app);
    expect(await post(live(app))).toEqual(at(app, live));
  });

  it('in functions, as the gateway says', async () => {
    const modules = { main: `export const f = (_event, ctx) => ctx.webhookUrl('in');` };
    const app = host.deploy(
      { modules, steps: [step('f', 'function.f', { description: 'Tells.', ...code('f') })] },
      DRAFT,
    );
    const told = async (channel?: 'live' | 'draft') =>
      (await host.runFunction(app, { function: 'f', ...(channel && { channel }) })).body.data;
    expect([await told('draft'), await told('live'), await told()]).toEqual(
      [draft(app), live(app), live(app)].map((path) => `https://panel.example${path}`),
    );
  });

  it('in schedules', async () => {
    const modules = {
      main: `export const f = (_event, ctx) => ctx.store.set('told/' + ctx.app.version, { url: ctx.webhookUrl('in') });`,
    };
    const app = host.deploy({ modules, steps: [step('f', 'schedule.f', { cron: '0 3 * * *', ...code('f') })] }, DRAFT);
    await host.announce(app.app_id, app);
    expect((await host.backend().post(`/v1/internal/apps/${app.app_id}/schedules/f/run`)).status).toBe(202);
    const found = () =>
      host.service.query<{ url: string }>("SELECT data ->> 'url' AS url FROM documents WHERE app_id = $1", [
        app.app_id,
      ]);
    expect(await until(async () => (await found())[0])).toEqual({ url: `https://panel.example${draft(app)}` });
  });
});

describe('one path', () => {
  const CHALLENGE = [
    { id: 'echo', kind: 'control', action: 'return', params: { body: "{{ event.query_params['hub.challenge'] }}" } },
  ];
  const answers = (text: string) => [{ id: 'echo', kind: 'control', action: 'return', params: { body: text } }];
  const ask = async (method: string, app: DeployedApp, query = '') => {
    const { status, body, headers } = await host.service
      .client()
      .request(method, draft(app) + query, method === 'GET' ? undefined : {});
    return { status, ...(status === 405 ? { allow: headers.get('allow') } : { body }) };
  };

  it('has a handler for the challenge by GET and another for the events by POST', async () => {
    const steps = [
      step('challenge', 'webhook.in', { method: 'GET', steps: CHALLENGE }),
      step('events', 'webhook.in', { method: 'POST', steps: answers('event') }),
    ];
    const app = host.deploy({ steps }, DRAFT);
    expect(await ask('GET', app, '?hub.mode=subscribe&hub.challenge=1158201444')).toEqual({
      status: 200,
      body: '1158201444',
    });
    expect(await ask('POST', app)).toEqual({ status: 200, body: 'event' });
    expect(await ask('DELETE', app)).toEqual({ status: 405, allow: 'GET, HEAD, POST' });
  });

  it('has one handler for both, which sees which it was', async () => {
    const app = deploy('({ method }) => ({ body: method })', {}, [
      hook('in', { method: ['POST', 'GET'], ...code('hook') }),
    ]);
    expect([await ask('GET', app), await ask('POST', app)]).toEqual([
      { status: 200, body: 'GET' },
      { status: 200, body: 'POST' },
    ]);
    expect(await ask('PUT', app)).toEqual({ status: 405, allow: 'GET, HEAD, POST' });
  });
});

describe('a draft', () => {
  it('keeps in its inbox what came for it, which is never handled for those who have the app', async () => {
    const handled = async (app: DeployedApp) =>
      (await host.service.query<{ count: string }>('SELECT count(*) FROM documents WHERE app_id = $1', [app.app_id]))[0]
        ?.count;
    const stores = `async (_event, ctx) => { await ctx.store.create('seen', {}); throw new Error('again'); }`;
    const app = deploy(stores, {}, [hook('in', { inbox: true, ...code('hook') })]);
    backoff.mockReturnValue(1_000); // otherwise all attempts could end before it is published
    const { status, body } = await host.service.client().post<{ delivery_id: string }>(draft(app), {});
    expect(status).toBe(202);
    const delivery = async () =>
      (
        await host
          .backend()
          .get<WebhookDeliveryDetail>(`/v1/internal/apps/${app.app_id}/webhook-deliveries/${body.delivery_id}`)
      ).body;
    await until(async () => (await delivery()).attempts > 0);
    published(app);
    backoff.mockReturnValue(1);
    const tried = await until(async () => {
      const now = await delivery();
      return now.error?.includes('no such webhook') ? now : null;
    });
    expect(tried).toMatchObject({ channel: 'draft', status_code: null });
    const before = await handled(app);
    const { attempts } = await delivery();
    await until(async () => (await delivery()).attempts > attempts + 2 || (await delivery()).finished_at !== null);
    expect(await handled(app)).toBe(before);
  });

  it('stores for its developer by webhooks and for nobody else', async () => {
    const forUser = `async ({ query_params }, ctx) => {
      try { await ctx.store.forUser(query_params.id).create('seen', {}); return { body: 'stored' }; }
      catch ({ code }) { return { body: code }; } }`;
    const app = deploy(forUser, { developer_id: 'usr_dev' });
    expect([await post(`${draft(app)}?id=usr_dev`), await post(`${draft(app)}?id=usr_1`)]).toEqual([
      [200, 'stored'],
      [200, 'USER_NOT_AVAILABLE'],
    ]);
    published(app);
    expect(await post(`${live(app)}?id=usr_1`)).toEqual([200, 'stored']);
  });

  it('does so also by the functions that its webhooks call', async () => {
    const main = `
      export const hook = async ({ query_params }, ctx) => ({ body: await ctx.extensions.call(ctx.app.app_id, 'keep', { id: query_params.id }) });
      export const keep = async ({ id }, ctx) => {
        try { await ctx.store.forUser(id).create('seen', {}); return 'stored'; } catch ({ code }) { return code; } };`;
    const keep = step('keep', 'function.keep', {
      description: 'Keeps.',
      params_schema: { type: 'object' },
      ...code('keep'),
    });
    const app = host.deploy({ modules: { main }, steps: [hook('in'), keep] }, { ...DRAFT, developer_id: 'usr_dev' });
    expect([await post(`${draft(app)}?id=usr_dev`), await post(`${draft(app)}?id=usr_1`)]).toEqual([
      [200, 'stored'],
      [200, 'USER_NOT_AVAILABLE'],
    ]);
  });

  it('has grants of its own: what is given to it is not used once it is published', async () => {
    const calls = `async (_event, ctx) => ({ body: await ctx.extensions.call('other', 'f', {}) })`;
    host.gateway.answerCall = () => ({ status: 'success', data: 'called' }) as never;
    const app = deploy(calls);
    const begun = () => host.gateway.begun.filter(({ app_id }) => app_id === app.app_id).length;
    for (let time = 0; time < 3; time++) expect(await post(draft(app))).toEqual([200, 'called']);
    expect(begun()).toBe(1);
    published(app);
    for (let time = 0; time < 3; time++) expect(await post(live(app))).toEqual([200, 'called']);
    expect(begun()).toBe(2);
  });
});

it('a function of a draft runs for its developer as before', async () => {
  const app = host.deploy({ steps: [functionOf('main', [step('a', 'transform.uuid')])] }, DRAFT);
  expect((await host.runFunction(app, { user: userNamed('usr_dev') })).body.status).toBe('success');
});

// Last test, because after an outage the host sends the gateway no requests for some seconds.
it('drafts answer as they were last known while the gateway is away', async () => {
  const [runs, stopped, unknown] = [
    deploy(says('one')),
    deploy(says('two'), { is_suspended: true }),
    deploy(says('three')),
  ];
  expect([await post(draft(runs)), await post(draft(stopped))]).toEqual([[200, 'one'], NONE]);
  host.gateway.isAway = true;
  expect([await post(draft(runs)), await post(draft(stopped))]).toEqual([[200, 'one'], NONE]);
  expect((await host.service.client().post(draft(unknown), {})).status).toBe(503);
});
