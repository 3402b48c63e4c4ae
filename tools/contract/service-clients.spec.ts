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
      pair('listInstallChanges', InstallChangesController, 'listInstallChanges', () => registry.listInstallChanges(0)),
      pairOfText('getCatalog', CatalogController, 'getCatalog', CatalogResponse, () => registry.getCatalog('x')),
      pair('getHealth', HealthController, 'health', () => registry.getHealth()),
    ],
  ],
  [
    'the client of the host of extensions',
    ExtensionHostClient,
    [
      pair('runFunction', RunsController, 'runFunction', () => host.runFunction({ timeout_ms: 1_000 } as never)),
      pair('runSmokeTest', SmokeTestsController, 'run', () => host.runSmokeTest(ANY)),
      pair('listSecrets', AppSecretsController, 'listSecrets', () => host.listSecrets('x', APP)),
      pair('getSecret', AppSecretsController, 'getSecret', () => host.getSecret('x', 'y', APP)),
      pair('setSecret', AppSecretsController, 'setSecret', () => host.setSecret('x', 'y', APP, 'z')),
      pair('deleteSecret', AppSecretsController, 'deleteSecret', () => host.deleteSecret('x', 'y', APP)),
      pair('readLogs', AppLogsController, 'readLogs', () => host.readLogs('x', { limit: 1, wait_seconds: 0 })),
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
      pair('fetchRuntime', HostRoutesController, 'readRuntime', () => gateway.fetchRuntime('x')),
      pair('listRuntimeChanges', HostRoutesController, 'listRuntimeChanges', () => gateway.listRuntimeChanges(0)),
      pairOfOther('fetchDocument', HostRoutesController, 'readDocument', () => gateway.fetchDocument('x', 'y')),
      pair('requestRunGrants', RunGrantsController, 'give', () => gateway.requestRunGrants(ANY)),
      pair('exchangeRunGrant', RunGrantsController, 'exchange', () => gateway.exchangeRunGrant(ANY)),
      pair('findUsersOfRun', RunGrantsController, 'findUsers', () => gateway.findUsersOfRun(ANY)),
      pair('checkRunGrant', RunGrantsController, 'check', () => gateway.checkRunGrant(ANY)),
      pairOfOther('fetchConfig', HostRoutesController, 'readConfig', () => gateway.fetchConfig('x')),
      pair('callExtension', HostRoutesController, 'call', () => gateway.callExtension('x', ANY, new Cancellation())),
      pair('reportDenial', HostRoutesController, 'recordDenial', () => gateway.reportDenial(ANY)),
      pair('sendNotification', HostRoutesController, 'notify', () => gateway.sendNotification(ANY)),
      pair('reportProgress', HostRoutesController, 'reportProgress', () => gateway.reportProgress(ANY)),
      pair('deliverChatMessage', HostRoutesController, 'deliverChatMessage', () => gateway.deliverChatMessage(ANY)),
      pairOfOther('fetchBalance', RunBillingController, 'readBalance', () => gateway.fetchBalance('x')),
      pairOfOther('fetchSubscription', RunBillingController, 'readSubscription', () => gateway.fetchSubscription('x')),
      pairOfOther('fetchLimits', RunBillingController, 'readLimits', () => gateway.fetchLimits('x')),
      pair('trackUsage', RunBillingController, 'trackUsage', () => gateway.trackUsage(ANY)),
      pairOfOther('findEventSubscribers', GatewayEvents, 'findSubscribers', () => gateway.findEventSubscribers(ANY)),
      pair('listEventAudience', GatewayEvents, 'findAudience', () => gateway.listEventAudience(ANY)),
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
