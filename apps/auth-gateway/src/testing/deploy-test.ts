import type { CallResponse, DeployResponse, PendingAppResponse } from '@platform/contracts';
import { TEST_SERVICE_TOKEN, until, withJobs, type TestClient } from '@platform/testing';
import { newId } from '@platform/platform';
import type { GatewayTest, TestUser } from './gateway-test.js';
import { RegistryTest } from './registry-test.js';

export interface TestDeveloper {
  user: TestUser;
  client: TestClient;
}

interface Served {
  gateway: string | null;
  registry: string | null;
}

/** A gateway with a Registry, and helpers for developers and deploys. */
export class DeployTest {
  private constructor(private readonly test: RegistryTest) {}

  /** @param env environment of the gateway. */
  static async start(env: NodeJS.ProcessEnv = {}): Promise<DeployTest> {
    return new DeployTest(await RegistryTest.start(env));
  }

  get gateway(): GatewayTest {
    return this.test.gateway;
  }

  /** Cuts the connection from the gateway to the Registry while `work` runs. */
  async withoutRegistry<T>(work: () => Promise<T>): Promise<T> {
    await this.test.wire.cut();
    try {
      return await work();
    } finally {
      await this.test.wire.restore();
    }
  }

  /** A client of the Registry with the service token, as used by an external pipeline. */
  get registry(): TestClient {
    return this.test.registry.client().withHeaders({ 'X-Service-Token': TEST_SERVICE_TOKEN });
  }

  /** A client of the Registry with an API key. */
  registryWithKey(key: string): TestClient {
    return this.test.registry.client().withHeaders({ 'x-api-key': key });
  }

  query<Row>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    return this.gateway.service.query<Row>(sql, parameters);
  }

  stop(): Promise<void> {
    return this.test.stop();
  }

  async developer(): Promise<TestDeveloper> {
    const user = await this.gateway.user();
    await this.query('INSERT INTO developers (user_id, display_name, tier) VALUES ($1, $2, $3)', [
      user.id,
      'Ada',
      'partner',
    ]);
    return { user, client: await this.gateway.signIn(user) };
  }

  /** Creates an app and returns its id. */
  async app({ user }: TestDeveloper): Promise<string> {
    const appId = newId('app').replace('_', '-');
    await this.query('INSERT INTO apps (app_id, developer_id, display_name) VALUES ($1, $2, $3)', [
      appId,
      user.id,
      'Notes',
    ]);
    return appId;
  }

  /** Starts a deploy. Throws if the status is not 201. */
  async deploy({ client }: TestDeveloper, appId: string, body: object): Promise<DeployResponse> {
    const answer = await client.post<DeployResponse>(`/v1/developer/apps/${appId}/deploys`, body);
    if (answer.status !== 201)
      throw new Error(`The deploy was answered with ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /**
   * Starts a deploy and waits for its end. After a success it also waits until the Registry serves
   * the version.
   */
  async deployAndWait(developer: TestDeveloper, appId: string, body: object): Promise<DeployResponse> {
    const { deploy_id: deployId } = await this.deploy(developer, appId, body);
    return this.waitForDeploy(developer, appId, deployId);
  }

  /** Same as `deployAndWait`, and approves the version if it waits for a review. */
  async deployAndApprove(developer: TestDeveloper, appId: string, body: object): Promise<DeployResponse> {
    const { deploy_id: deployId, status, version } = await this.deployAndWait(developer, appId, body);
    if (status === 'waiting') {
      const { body } = await this.gateway.backend().get<PendingAppResponse[]>('/v1/admin/apps/pending?limit=500');
      const sha256 = body.find(({ app_id }) => app_id === appId)?.sha256;
      await this.gateway.backend().post(`/v1/admin/apps/${appId}/approve`, { version, sha256 });
    }
    return this.waitForDeploy(developer, appId, deployId);
  }

  waitForDeploy({ client }: TestDeveloper, appId: string, deployId: string): Promise<DeployResponse> {
    return until(async () => {
      const { body } = await client.get<DeployResponse>(`/v1/developer/apps/${appId}/deploys/${deployId}`);
      const isReleased = body.status !== 'success' || body.steps.every(({ at }) => at !== null);
      return body.deployed_at && isReleased ? body : null;
    });
  }

  async deployIr(
    { user, client }: TestDeveloper,
    appId: string,
    irDict: unknown,
    params: object = {},
  ): Promise<CallResponse> {
    const body = { user_id: user.id, function: 'deploy_ir', params: { app_id: appId, ir_dict: irDict, ...params } };
    const answer = await withJobs(client.post<CallResponse>('/v1/extensions/developer/call', body));
    if (answer.status !== 200)
      throw new Error(`deploy_ir was answered with ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  async servedVersions(appId: string): Promise<Served> {
    const [row] = await this.query<{ served_version: string | null }>(
      'SELECT served_version FROM apps WHERE app_id = $1',
      [appId],
    );
    const { body } = await this.registry.get<{ version?: string | null }>(`/v1/apps/${appId}`);
    return { gateway: row?.served_version ?? null, registry: body.version ?? null };
  }
}

/** A document in the simple form, with a function `greet` that returns `greeting`. */
export const documentOf = (appId: string, version: string, greeting = 'Hello') => ({
  app_id: appId,
  version,
  name: 'Notes',
  steps: [
    {
      id: 'greet',
      kind: 'function',
      action: 'greet',
      params: {
        description: `Says ${greeting} to somebody.`,
        action_type: 'read',
        params_schema: { type: 'object', required: ['name'], properties: { name: { type: 'string', maxLength: 50 } } },
        steps: [
          {
            id: 'answer',
            kind: 'control',
            action: 'return',
            params: { data: { text: `${greeting}, {{event.name}}` } },
          },
        ],
      },
    },
  ],
});
