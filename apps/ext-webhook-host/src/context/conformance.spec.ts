import { capabilitiesOf, hostsOf } from '@platform/app-document';
import { CONFORMANCE_APP, SCENARIOS, type Begin } from '@platform/extension-sdk/conformance';
import { RUN_LIMITS } from '@platform/extension-sdk/runtime';
import { newId } from '@platform/platform';
import { AppDocumentsService } from '../documents/app-documents.service.js';
import { Egress } from '@platform/egress';
import { ProcessedEventsRepository } from '../kernel/store/processed-events.repository.js';
import { HostTest, userNamed } from '../testing/host.js';
import { identityOf, userOf } from './identities.js';
import { RunContextFactory } from './run-context-factory.js';
import { RunState } from './run-state.js';

let host: HostTest;
const begun: RunState[] = [];
beforeAll(async () => {
  host = await HostTest.start();
  // The gateway merges the settings over the defaults of the document.
  host.gateway.config = { mail: { sender: 'nobody', limit: 5 }, empty: null };
});
afterEach(() => begun.splice(0).forEach((state) => state.end()));
afterAll(() => host.stop());

/** Contexts of the platform for a new app. */
async function contexts(): Promise<Begin> {
  const { app, service } = { app: host.deploy(CONFORMANCE_APP), service: host.service.app };
  const compiled = await service.get(AppDocumentsService).loadCompiledApp(app);
  const tenantId = 'acme';
  return (kind = 'function', userId = 'usr_1') => {
    const services = {
      egress: service.get(Egress),
      events: service.get(ProcessedEventsRepository),
      allowedHosts: () => Promise.resolve(hostsOf(compiled.document.app)),
    };
    const state = new RunState(RUN_LIMITS[kind], 30_000, null, services, {
      appId: app.app_id,
      tenantId,
      runId: newId('run'),
      delivery: null,
    });
    begun.push(state);
    const identity = { webhook: '__webhook__', schedule: '__system__' }[kind as string];
    return service.get(RunContextFactory).createContext(
      {
        app: { app_id: app.app_id, version: app.version },
        compiled,
        capabilities: capabilitiesOf(compiled.document.app),
        sha256: app.sha256,
        kind,
        handler: 'test',
        tenantId,
        user: identity === undefined ? userOf(userNamed(userId)) : identityOf(identity, tenantId),
        userId: identity === undefined ? userId : null,
        developerId: null,
        tenant: null,
        hop: 0,
        chain: [`${app.app_id}.test`],
        via: [],
        channel: 'live',
        onlyFor: null,
        grant: host.createGrant(app, kind === 'schedule' ? 'schedule' : 'function', {
          tenant_id: tenantId,
          ...(identity === undefined && { user_id: userId }),
        }),
        request: null,
        state,
      },
      () => Promise.resolve(null),
    );
  };
}

it.each(SCENARIOS)('%s', async (_what, ask, expected) => {
  expect(await ask(await contexts())).toEqual(expected);
});
