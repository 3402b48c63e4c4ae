import type { JsonObject } from '@platform/app-document';
import type { EventDeliveriesResponse } from '@platform/contracts';
import { newUuid } from '@platform/platform';
import { until } from '@platform/testing';
import type { DeployedApp } from '../kernel/deployed/deployed-apps.service.js';
import { GatewayClient } from '../kernel/gateway/gateway.client.js';
import { SecretVaultService } from '../kernel/secrets/secret-vault.service.js';
import { DocumentStore } from '../kernel/store/document-store.js';
import { HostTest, step } from '../testing/host.js';
import { retryAtOnce } from '../testing/quick-retries.js';
import { eventQueue, eventsToGatewayQueue } from '../kernel/event-bus/events.jobs.js';
import { eventDeliveryQueue } from './event-deliveries.jobs.js';

/** Handling of `app removed` events by the removed app. */
let host: HostTest;
let retryLater: () => void;
beforeAll(async () => {
  retryLater = retryAtOnce(eventQueue, eventsToGatewayQueue, eventDeliveryQueue);
  host = await HostTest.start();
});
afterEach(() => {
  jest.restoreAllMocks();
  host.gateway.acceptsGrant = () => true;
});
afterAll(async () => {
  await host.stop();
  retryLater();
});

let apps = 0;
const USER = { tenantId: 'acme', userId: 'usr_1' };

/** Deploys an app whose removal handler has this body. It can use `ctx` and `codeOf`. */
async function deploy(body: string): Promise<DeployedApp> {
  const app_id = `removed-${++apps}`;
  const main = `
    const codeOf = (work) => Promise.resolve().then(work).then((value) => value ?? null, ({ code }) => code);
    export const left = async (event, ctx) => { ${body} };`;
  const app = host.deploy(
    {
      modules: { main },
      secrets: [{ name: 'token', scope: 'user', write_mode: 'both' }],
      events: { emits: [{ type: `${app_id}.left` }] },
      steps: [step('left', 'event.marketplace.app_uninstalled', { code: { module: 'main', entry: 'left' } })],
    },
    { app_id },
  );
  await host.announce(app_id, app);
  return app;
}
const store = () => host.service.app.get(DocumentStore);
const vault = () => host.service.app.get(SecretVaultService);
const scopeOf = ({ app_id: appId }: DeployedApp) => ({ ...USER, appId });
const keep = (app: DeployedApp, id: string, data: JsonObject = {}) =>
  store().setDocument(scopeOf(app), 'kept', id, data);
const kept = async ({ app_id }: DeployedApp) =>
  (
    await host.service.query<{ id: string; data: JsonObject }>(
      "SELECT id, data FROM documents WHERE app_id = $1 AND collection = 'kept' ORDER BY id",
      [app_id],
    )
  ).map(({ id, data }) => [id, data]);
const outcome = async (app: DeployedApp) => (await store().findDocument(scopeOf(app), 'outcome', 'last'))?.data ?? null;
const path = ({ app_id }: DeployedApp) => `/v1/internal/apps/${app_id}/event-deliveries`;
/** Sends the removal event. Returns the delivery when it has ended. */
async function remove(app: DeployedApp) {
  const event = {
    event_id: newUuid(),
    type: 'marketplace.app_uninstalled',
    tenant_id: USER.tenantId,
    user_id: USER.userId,
    source: 'platform',
    data: { app_id: app.app_id },
    hop: 0,
    timestamp: new Date(),
  };
  host.gateway.hasApp = (_user, id) => id === app.app_id;
  host.gateway.addEvent(event);
  expect((await host.backend().post('/v1/internal/events', event)).status).toBe(204);
  return until(async () => {
    const [delivery] = (await host.backend().get<EventDeliveriesResponse>(path(app))).body.items;
    return delivery?.finished_at ? delivery : null;
  });
}
/**
 * Runs `happens` right after the gateway has confirmed the removal, before the host receives the
 * answer.
 */
function afterCheck(happens: () => Promise<unknown>): void {
  const gateway = host.service.app.get(GatewayClient);
  const check = gateway.checkRunGrant.bind(gateway);
  jest.spyOn(gateway, 'checkRunGrant').mockImplementationOnce(async (request) => {
    await check(request);
    await happens();
  });
}

describe('a run that tells an app of its removal', () => {
  it('changes and deletes what the app keeps for its user', async () => {
    const app = await deploy(`
      const [found] = (await ctx.store.forUser('usr_1').query('kept', { where: { n: 1 } })).data;
      await ctx.store.update('kept', 'changed', { found: found.id });
      await ctx.store.delete('kept', 'one');
      await ctx.store.deleteMany('kept', { ids: ['many'] });
      await ctx.secrets.delete('token');
      await ctx.store.set('kept/new', {});
      await ctx.store.delete('kept', 'new');`);
    for (const id of ['one', 'many', 'changed']) await keep(app, id, id === 'one' ? { n: 1 } : {});
    await vault().set({ appId: app.app_id, identity: USER.userId }, 'token', 's3cret');
    expect(await remove(app)).toMatchObject({ status: 'succeeded', error: null });
    expect(await kept(app)).toEqual([['changed', { found: 'one' }]]);
    expect(await vault().find({ appId: app.app_id, identity: USER.userId }, 'token')).toBeNull();
  });

  it('publishes nothing: that raises RUN_REFUSED, and nothing of it is stored', async () => {
    const app = await deploy(
      "await ctx.store.set('outcome/last', { emit: await codeOf(() => ctx.extensions.emit(ctx.app.app_id + '.left', {})) });",
    );
    expect(await remove(app)).toMatchObject({ status: 'succeeded' });
    expect(await outcome(app)).toEqual({ emit: 'RUN_REFUSED' });
    expect(await host.service.query('SELECT FROM events WHERE source = $1', [app.app_id])).toEqual([]);
  });

  it('does nothing to what the app keeps once its user has it again, and reaches nobody else', async () => {
    const app = await deploy(`
      await ctx.store.delete('kept', 'before');
      const codes = [];
      for (const work of [
        () => ctx.store.delete('kept', 'after'),
        () => ctx.store.deleteMany('kept', {}),
        () => ctx.store.set('kept/after', { mine: true }),
        () => ctx.store.update('kept', 'after', { mine: true }),
        () => ctx.store.create('kept', {}),
        () => ctx.secrets.delete('token'),
        () => ctx.secrets.set('token', 'old'),
        () => ctx.store.forUser('usr_2').set('kept/theirs', {}),
      ]) codes.push(await codeOf(work));
      ctx.log('Codes: ' + codes.join());`);
    for (const id of ['before', 'after']) await keep(app, id);
    const owner = { appId: app.app_id, identity: USER.userId };
    await vault().set(owner, 'token', 'new');
    let asked = 0;
    host.gateway.acceptsGrant = ({ kind }) => kind !== 'event' || ++asked <= 1;
    expect(await remove(app)).toMatchObject({ status: 'succeeded' });
    const line = await until(async () => {
      const lines = await host.service.query<{ message: string }>('SELECT message FROM app_logs WHERE app_id = $1', [
        app.app_id,
      ]);
      return lines.find(({ message }) => message.startsWith('Codes: '));
    });
    expect(line.message).toBe(`Codes: ${Array(8).fill('RUN_REFUSED').join()}`);
    expect(await kept(app)).toEqual([['after', {}]]);
    expect(await vault().find(owner, 'token')).toBe('new');
  });

  it.each([
    ["delete('kept', 'again')", false],
    ["deleteMany('kept', {})", []],
    ["updateMany('kept', {}, { mine: true })", []],
    ["update('kept', 'again', { mine: true })", 'STORE_CONFLICT'],
    ["set('kept/again', { mine: true })", 'STORE_CONFLICT'],
  ])(
    'leaves by %s what was written since, at the moment at which the user has the app again',
    async (operation, expected) => {
      const app = await deploy(`
      const first = await codeOf(() => ctx.store.${operation});
      await ctx.store.set('outcome/last', { first });`);
      await keep(app, 'again', { from: 'before' });
      afterCheck(() => keep(app, 'again', { from: 'the new installation' }));
      expect(await remove(app)).toMatchObject({ status: 'succeeded' });
      expect(await outcome(app)).toEqual({ first: expected });
      expect(await kept(app)).toEqual([['again', { from: 'the new installation' }]]);
    },
  );

  it.each([
    ["delete('token')", false],
    ["set('token', 'old')", 'RUN_REFUSED'],
  ])('leaves by %s a secret that was set since, at that moment', async (operation, expected) => {
    const app = await deploy(`
      const first = await codeOf(() => ctx.secrets.${operation});
      await ctx.store.set('outcome/last', { first });`);
    const owner = { appId: app.app_id, identity: USER.userId };
    await vault().set(owner, 'token', 'old');
    afterCheck(() => vault().set(owner, 'token', 'new'));
    expect(await remove(app)).toMatchObject({ status: 'succeeded' });
    expect(await outcome(app)).toEqual({ first: expected });
    expect(await vault().find(owner, 'token')).toBe('new');
  });

  it('is not replayed, whether it went well or not', async () => {
    for (const body of ['', "throw Object.assign(new Error('Broken'), { code: 'BROKEN' });"]) {
      const app = await deploy(body);
      const { event_id, status, attempts } = await remove(app);
      expect([status, attempts]).toEqual(body ? ['dead', 5] : ['succeeded', 1]);
      expect(await host.backend().post(`${path(app)}/${event_id}/replay`)).toMatchObject({
        status: 409,
        body: { code: 'event_delivery.told_once' },
      });
      expect((await host.backend().get<EventDeliveriesResponse>(path(app))).body.items).toMatchObject([
        { status, attempts },
      ]);
    }
  });
});
