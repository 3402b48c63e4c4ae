import { ANY_HOST, capabilitiesOf, documentHash, parseAppDocument, type JsonObject } from '@platform/app-document';
import type { CallResponse, RunRequest, RunUser } from '@platform/contracts';
import { newId } from '@platform/platform';
import {
  TEST_SERVICE_TOKEN,
  TestService,
  removeTimeLimit,
  type TestClient,
  type TestResponse,
} from '@platform/testing';
import { loadConfig } from '../config.js';
import type { DeployedApp } from '../kernel/deployed/deployed-apps.service.js';
import { extWebhookHost } from '../service.js';
import { RuntimeFeedWorker } from '../runtime-feed/runtime-feed.worker.js';
import { RunGrant } from '../kernel/gateway/run-grant.js';
import { RunGrantsClient } from '../kernel/gateway/run-grants.client.js';
import { SmokeTestsService } from '../smoke/smoke-tests.service.js';
import { FakeGateway } from './fake-gateway.js';
import type { GrantFacts } from './fake-run-grants.js';

/** The complete host, with a fake gateway. */
export class HostTest {
  private constructor(
    readonly service: TestService,
    readonly gateway: FakeGateway,
  ) {}

  static async start(env: NodeJS.ProcessEnv = {}): Promise<HostTest> {
    const gateway = await FakeGateway.start();
    const settings = { AUTH_GATEWAY_URL: gateway.url, PANEL_URL: 'https://panel.example', ...env };
    const service = await TestService.start((complete) => extWebhookHost(loadConfig(complete)), { env: settings });
    removeTimeLimit(service.app.get(SmokeTestsService).checks);
    return new HostTest(service, gateway);
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.gateway.stop();
  }

  /** A client with the service token of the gateway. */
  backend(): TestClient {
    return this.service.client().withHeaders({ 'X-Service-Token': TEST_SERVICE_TOKEN });
  }

  /**
   * Makes the fake gateway serve a document as that of a running app. `parts` is its simple form,
   * without id and version. The app gets a new id, its declared capabilities and any host;
   * `changes` replaces such facts.
   *
   * @throws Error with the issues if the document is invalid.
   */
  deploy(parts: JsonObject, changes: Partial<DeployedApp> = {}): DeployedApp {
    const app_id = changes.app_id ?? newId('app').replace('_', '-');
    const parsed = parseAppDocument({ app_id, version: '1.0.0', ...parts });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
    const sha256 = documentHash(parsed.document);
    const { version } = parsed.document.app;
    const info: DeployedApp = {
      app_id,
      version,
      sha256,
      tenant_id: 'makers',
      developer_id: 'dev_1',
      is_active: true,
      is_suspended: false,
      hosts: [ANY_HOST],
      capabilities: capabilitiesOf(parsed.document.app),
      ...changes,
    };
    this.gateway.apps.set(app_id, info);
    this.gateway.documents.set(sha256, parsed.document);
    return info;
  }

  /**
   * Makes the fake gateway announce the running version of an app, and the host follow. Null: no
   * version runs.
   */
  async announce(
    appId: string,
    runtime: DeployedApp | null,
    { is_suspended = false, service = this.service } = {},
  ): Promise<void> {
    const { runtimeChanges: changes } = this.gateway;
    const revision = (changes.at(-1)?.revision ?? 0) + 1;
    const others = changes.filter(({ app_id }) => app_id !== appId);
    changes.splice(0, changes.length, ...others, {
      app_id: appId,
      revision,
      runtime: runtime && { ...runtime, is_suspended },
    });
    await service.app.get(RuntimeFeedWorker).applyChanges();
  }

  /** Starts a second process of the same host. */
  startSecondProcess(): Promise<TestService> {
    return TestService.start((complete) => extWebhookHost(loadConfig(complete)), { sharedWith: this.service });
  }

  /** A grant of the fake gateway, for a context that a test creates. */
  createGrant(
    { app_id, version, sha256 }: DeployedApp,
    kind: GrantFacts['kind'],
    facts: Pick<GrantFacts, 'tenant_id'> & Partial<GrantFacts>,
  ): RunGrant {
    const { grant } = this.gateway.grants.createGrant({ app_id, version, sha256, kind, ...facts });
    const grants = this.service.app.get(RunGrantsClient);
    return new RunGrant({
      fetchGrant: () => Promise.resolve(grant),
      exchangeGrant: (text, userId) => grants['exchange'](text, userId),
      findTenantId: (text, userId) => grants['tenantOf'](text, userId),
    });
  }

  /** Runs a function, `main` by default, with a grant that is valid until the answer. */
  async runFunction(
    { app_id, version, sha256 }: DeployedApp,
    { service = this.service, ...request }: Partial<RunRequest> & { service?: TestService } = {},
  ): Promise<TestResponse<CallResponse>> {
    const user = request.user === undefined ? userNamed('usr_1') : request.user;
    const { function: name = 'main', chain = [], hop } = request;
    const tenant_id = request.tenant_id ?? user?.tenant_id ?? 'makers';
    const { grant, run_id } = this.gateway.grants.createGrant({
      ...{
        app_id,
        version,
        sha256,
        kind: 'function',
        tenant_id,
        user_id: user?.user_id ?? null,
        scopes: user?.scopes ?? [],
      },
      ...{ chain: [...chain, `${app_id}.${name}`], ...(hop !== undefined && { hop }) },
    });
    const answer = await service
      .client()
      .withHeaders({ 'X-Service-Token': TEST_SERVICE_TOKEN })
      .post<CallResponse>('/v1/internal/runs', {
        app_id,
        version,
        sha256,
        function: 'main',
        params: {},
        chain: [],
        timeout_ms: 80_000,
        grant,
        ...request,
        tenant_id,
        user,
      });
    this.gateway.grants.ended.add(run_id);
    return answer;
  }
}

export const userNamed = (user_id: string, changes: Partial<RunUser> = {}): RunUser => ({
  user_id,
  email: `${user_id}@example.com`,
  tenant_id: 'acme',
  role: 'user',
  scopes: ['notes:*'],
  ...changes,
});

/** A step of a document. */
export const step = (id: string, operation: string, params: JsonObject = {}): JsonObject => {
  const [, kind, action] = /^(\w+)\.(.*)$/.exec(operation) as unknown as [string, string, string];
  return { id, kind, action, params };
};

/** A function of a document. */
export const functionOf = (name: string, steps: JsonObject[], changes: JsonObject = {}): JsonObject =>
  step(name, `function.${name}`, { description: `Does ${name}.`, steps, ...changes });
