import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { CatalogResponse, RegistryApp, ToolManifestResponse, type AsJson } from '@platform/contracts';
import { Cancellation, type Tagged } from '@platform/platform';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Registry as Metrics } from 'prom-client';
import { EventsController as GatewayEvents } from '../../apps/auth-gateway/src/extensions/events/events.controller.js';
import { HostRoutesController } from '../../apps/auth-gateway/src/extensions/host-routes/host-routes.controller.js';
import { RunBillingController } from '../../apps/auth-gateway/src/extensions/run-billing/run-billing.controller.js';
import { RunGrantsController } from '../../apps/auth-gateway/src/extensions/run-grants/run-grants.controller.js';
import { ExtensionHostClient } from '../../apps/auth-gateway/src/kernel/peers/extension-host/extension-host.client.js';
import { RegistryClient } from '../../apps/auth-gateway/src/kernel/peers/registry/registry.client.js';
import { HostEventsController as HostEvents } from '../../apps/ext-webhook-host/src/events/host-events.controller.js';
import { GatewayClient } from '../../apps/ext-webhook-host/src/kernel/gateway/gateway.client.js';
import { AppLogsController } from '../../apps/ext-webhook-host/src/app-data/app-logs.controller.js';
import { RunsController } from '../../apps/ext-webhook-host/src/runs/runs.controller.js';
import { SchedulesController } from '../../apps/ext-webhook-host/src/schedules/schedules.controller.js';
import { AppSecretsController } from '../../apps/ext-webhook-host/src/app-data/app-secrets.controller.js';
import { SmokeTestsController } from '../../apps/ext-webhook-host/src/smoke/smoke-tests.controller.js';
import { PurgesController } from '../../apps/ext-webhook-host/src/app-data/purges.controller.js';
import { WebhookDeliveriesController } from '../../apps/ext-webhook-host/src/webhooks/inbox/webhook-deliveries.controller.js';
import { RegistryAppsController } from '../../apps/registry/src/apps/registry-apps.controller.js';
import { CatalogController } from '../../apps/registry/src/catalog/catalog.controller.js';
import { HealthController } from '../../apps/registry/src/health/health.controller.js';
import {
  InstallChangesController,
  RegistryInstallsController,
} from '../../apps/registry/src/installs/registry-installs.controller.js';
import { SettingsController } from '../../apps/registry/src/settings/settings.controller.js';
import { ToolsController } from '../../apps/registry/src/tools/tools.controller.js';

let server: Server;
let received: string[] = [];
let registry: RegistryClient;
let host: ExtensionHostClient;
let gateway: GatewayClient;
beforeAll(async () => {
  server = createServer((request, response) => {
    received.push(`${request.method} ${request.url?.replace(/\?.*/, '')}`);
    response.end('{}');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const options = { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, serviceToken: 'x' };
  registry = new RegistryClient({ ...options, metrics: new Metrics() });
  host = new ExtensionHostClient({ ...options, metrics: new Metrics() });
  gateway = new GatewayClient({ ...options, metrics: new Metrics() });
});
afterAll(async () => {
  await Promise.all([registry, host, gateway].map((client) => client.onApplicationShutdown()));
  await new Promise((done) => server.close(done));
});
beforeEach(() => (received = []));

/** JSON that a client receives for the return type of a controller's method. */
type AnswerOf<C, M extends keyof C> = C[M] extends (...given: never[]) => infer Returned
  ? AsJson<Awaited<Returned>>
  : never;

/** Empty if the answer contains everything that the client reads. A client can read nothing. */
type Agrees<Answer, Read> = [Answer] extends [Read]
  ? []
  : void extends Read
    ? []
    : ['The client reads what the controller does not answer'];

interface Pair {
  /** Method of the client. */
  name: string;
  call: () => Promise<unknown>;
  controller: Type;
  method: string;
}

/**
 * Pairs a client's method with the controller's method that answers it. Does not compile if their
 * answer types differ.
 */
function pair<C, M extends keyof C & string, Read>(
  name: string,
  controller: Type<C>,
  method: M,
  call: () => Promise<Read>,
  ..._proof: Agrees<AnswerOf<C, M>, Read>
): Pair {
  return { name, call, controller, method };
}

/**
 * Like `pair`, for a controller that sends its own text and returns nothing. Its documented type
 * is `Answer`.
 */
function pairOfText<C, M extends keyof C & string, Answer, Read>(
  name: string,
  controller: Type<C>,
  method: M,
  answer: Type<Answer>,
  call: () => Promise<Read | Tagged<Read>>,
  ..._proof: Agrees<AsJson<Answer>, Read>
): Pair {
  const documented = (
    Reflect.getMetadata('swagger/apiResponse', handlerOf(controller, method)) as Record<string, unknown>
  )['200'];
  if ((documented as { type?: unknown }).type !== answer)
    throw new Error(`${controller.name}.${method} does not answer ${answer.name}`);
  return { name, call, controller, method };
}

const handlerOf = (controller: Type, method: string): object =>
  (controller.prototype as Record<string, object>)[method] as object;

/** Like `pair`, for a client that converts the answer. */
const pairOfOther = <C>(
  name: string,
  controller: Type<C>,
  method: keyof C & string,
  call: () => Promise<unknown>,
): Pair => ({
  name,
  call,
  controller,
  method,
});

const APP = { scope: 'app' } as const;
const PAGE = { limit: 1 };
/** Placeholder; the fake ignores bodies. */
const ANY = {} as never;

const PAIRS: [string, Type, Pair[]][] = [
  [
    'the client of the Registry',
    RegistryClient,
    [
      pairOfText('getApp', RegistryAppsController, 'getApp', RegistryApp, () => registry.getApp('x')),
      pair('listApps', RegistryAppsController, 'listApps', () => registry.listApps()),
      pair('createApp', RegistryAppsController, 'createApp', () => registry.createApp(ANY)),
      pairOfText('updateApp', RegistryAppsController, 'updateApp', RegistryApp, () => registry.updateApp('x', {})),
      pair('deleteApp', RegistryAppsController, 'deleteApp', () => registry.deleteApp('x')),
      pairOfText('getTools', ToolsController, 'getTools', ToolManifestResponse, () => registry.getTools('x')),
      pair('putTools', ToolsController, 'putTools', () => registry.putTools('x', ANY)),
      pairOfOther('getSettings', SettingsController, 'getSettings', () => registry.getSettings('x')),
      pairOfOther('updateSettings', SettingsController, 'updateSettings', () => registry.updateSettings('x', {})),
      pair('listInstalls', RegistryInstallsController, 'listInstalls', () => registry.listInstalls('x')),
      pair('install', RegistryInstallsController, 'registerInstall', () => registry.install('x', 'y')),
      pair('uninstall', RegistryInstallsController, 'removeInstall', () => registry.uninstall('x', 'y')),
      pair('installChanges', InstallChangesController, 'listInstallChanges', () => registry.installChanges(0)),
      pairOfText('catalog', CatalogController, 'getCatalog', CatalogResponse, () => registry.catalog('x')),
      pair('health', HealthController, 'health', () => registry.health()),
    ],
  ],
  [
    'the client of the host of extensions',
    ExtensionHostClient,
    [
      pair('run', RunsController, 'runFunction', () => host.run({ timeout_ms: 1_000 } as never)),
      pair('smokeTest', SmokeTestsController, 'run', () => host.smokeTest(ANY)),
      pair('listSecrets', AppSecretsController, 'listSecrets', () => host.listSecrets('x', APP)),
      pair('getSecret', AppSecretsController, 'getSecret', () => host.getSecret('x', 'y', APP)),
      pair('setSecret', AppSecretsController, 'setSecret', () => host.setSecret('x', 'y', APP, 'z')),
      pair('deleteSecret', AppSecretsController, 'deleteSecret', () => host.deleteSecret('x', 'y', APP)),
      pair('logs', AppLogsController, 'readLogs', () => host.logs('x', { limit: 1, wait_seconds: 0 })),
      pair('listWebhookDeliveries', WebhookDeliveriesController, 'listWebhookDeliveries', () =>
        host.listWebhookDeliveries('x', PAGE),
      ),
      pair('getWebhookDelivery', WebhookDeliveriesController, 'getWebhookDelivery', () =>
        host.getWebhookDelivery('x', 'y'),
      ),
      pair('replayWebhookDelivery', WebhookDeliveriesController, 'replayWebhookDelivery', () =>
        host.replayWebhookDelivery('x', 'y'),
      ),
      pair('listSchedules', SchedulesController, 'listSchedules', () => host.listSchedules('x')),
      pair('runSchedule', SchedulesController, 'runSchedule', () => host.runSchedule('x', 'y')),
      pair('listEventDeliveries', HostEvents, 'listEventDeliveries', () => host.listEventDeliveries('x', PAGE)),
      pair('replayEventDelivery', HostEvents, 'replayEventDelivery', () => host.replayEventDelivery('x', 'y')),
      pair('postEvent', HostEvents, 'acceptEvent', () => host.postEvent(ANY)),
      pair('purge', PurgesController, 'purge', () => host.purge(ANY)),
    ],
  ],
  [
    'the client of the gateway',
    GatewayClient,
    [
      pair('runtime', HostRoutesController, 'readRuntime', () => gateway.runtime('x')),
      pair('runtimeChanges', HostRoutesController, 'listRuntimeChanges', () => gateway.runtimeChanges(0)),
      pairOfOther('document', HostRoutesController, 'readDocument', () => gateway.document('x', 'y')),
      pair('runGrants', RunGrantsController, 'give', () => gateway.runGrants(ANY)),
      pair('exchangeRunGrant', RunGrantsController, 'exchange', () => gateway.exchangeRunGrant(ANY)),
      pair('usersOfRun', RunGrantsController, 'findUsers', () => gateway.usersOfRun(ANY)),
      pair('checkRunGrant', RunGrantsController, 'check', () => gateway.checkRunGrant(ANY)),
      pairOfOther('config', HostRoutesController, 'readConfig', () => gateway.config('x')),
      pair('callExtension', HostRoutesController, 'call', () => gateway.callExtension('x', ANY, new Cancellation())),
      pair('reportDenial', HostRoutesController, 'recordDenial', () => gateway.reportDenial(ANY)),
      pair('notify', HostRoutesController, 'notify', () => gateway.notify(ANY)),
      pair('reportProgress', HostRoutesController, 'reportProgress', () => gateway.reportProgress(ANY)),
      pair('deliverChatMessage', HostRoutesController, 'deliverChatMessage', () => gateway.deliverChatMessage(ANY)),
      pairOfOther('balance', RunBillingController, 'readBalance', () => gateway.balance('x')),
      pairOfOther('subscription', RunBillingController, 'readSubscription', () => gateway.subscription('x')),
      pairOfOther('limits', RunBillingController, 'readLimits', () => gateway.limits('x')),
      pair('trackUsage', RunBillingController, 'trackUsage', () => gateway.trackUsage(ANY)),
      pairOfOther('eventSubscribers', GatewayEvents, 'findSubscribers', () => gateway.eventSubscribers(ANY)),
      pair('eventAudience', GatewayEvents, 'findAudience', () => gateway.eventAudience(ANY)),
      pair('postEvent', GatewayEvents, 'acceptEvent', () => gateway.postEvent(ANY)),
    ],
  ],
];

/** Methods without a route. */
const OTHERS = ['constructor', 'onApplicationShutdown', 'assertReachable', 'repeat', 'read', 'write'];

describe.each(PAIRS)('%s', (_name, client, pairs) => {
  it('is told here with each of its methods', () => {
    const methods = Object.getOwnPropertyNames(client.prototype).filter((name) => !OTHERS.includes(name));
    expect(pairs.map(({ name }) => name).sort()).toEqual(methods.sort());
  });

  it.each(pairs.map((one) => [one.name, one] as const))(
    'asks by %s a route that there is',
    async (_method, { call, controller, method }) => {
      await call();
      const handler = handlerOf(controller, method);
      const verb = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as number];
      const [folder] = [Reflect.getMetadata(PATH_METADATA, controller) as string | string[]].flat();
      const path = `${folder}/${Reflect.getMetadata(PATH_METADATA, handler) as string}`
        .replace(/\/+$/, '')
        .replace(/:\w+/g, '[xy]');
      expect(received).toEqual([expect.stringMatching(new RegExp(`^${verb} /${path}$`))]);
    },
  );
});
