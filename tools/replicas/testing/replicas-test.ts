import type { AppResponse, DeployResponse } from '@platform/contracts';
import { createTestDatabase, until, type TestDatabase } from '@platform/testing';
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { ApiUser, type Answer } from './api-user.js';
import { ImageProcesses } from '../../images/image-processes.js';
import { ReplicatedPlatform } from '../replicated-platform.js';

const REPLICAS = 2;
const SERVICES_AND_WORKERS = 6;

/** App with one function, which stores a number. */
export const noteApp = (app_id: string, version: string, description: string) => ({
  app_id,
  version,
  name: app_id,
  steps: [
    {
      id: 'note',
      kind: 'function',
      action: 'note',
      params: {
        description,
        action_type: 'write',
        params_schema: { type: 'object', properties: { number: { type: 'integer' } }, required: ['number'] },
        steps: [
          {
            id: 'kept',
            kind: 'store',
            action: 'create',
            params: { kind: 'notes', data: { number: '{{ args.number }}' } },
          },
        ],
      },
    },
  ],
});

/**
 * Platform for a spec: two processes of each service and worker on a separate database, with an
 * administrator and a developer. Queues are on Redis if REDIS_URL is set, otherwise on PostgreSQL.
 * Programs are from the images in the folder PLATFORM_IMAGES if that is set (`npm run images --
 * --replicas`), otherwise from the build.
 */
export class ReplicasTest {
  private constructor(
    readonly platform: ReplicatedPlatform,
    private readonly database: TestDatabase,
    private readonly client: Client,
    readonly administrator: ApiUser,
    readonly developer: ApiUser,
    private readonly images: ImageProcesses | undefined,
  ) {}

  static async start(): Promise<ReplicasTest> {
    const database = await createTestDatabase();
    const client = new Client({ connectionString: database.url, options: '-c search_path=gateway,ext_host' }); // triggers look for tables in this search path
    await client.connect();
    let platform: ReplicatedPlatform | undefined;
    const folder = process.env['PLATFORM_IMAGES'];
    const images = folder ? await ImageProcesses.of(folder) : undefined;
    try {
      platform = await ReplicatedPlatform.start({
        databaseUrl: database.url,
        replicas: REPLICAS,
        ...(images && { starter: images }),
      });
      const administrator = await ApiUser.signIn(platform.addresses.gatewayUrl, platform.administrator);
      const developer = await ApiUser.join(platform, administrator);
      const body = { display_name: 'Ada', nickname: `ada-${randomBytes(3).toString('hex')}` };
      expect((await developer.ask('POST', '/v1/developer/register', { body })).status).toBe(200);
      return new ReplicasTest(platform, database, client, administrator, developer, images);
    } catch (error) {
      await platform?.stop();
      await images?.close();
      await client.end();
      await database.drop();
      throw error;
    }
  }

  /** Stops the platform and expects that all processes stop with exit code 0. */
  async stop(): Promise<void> {
    const codes = await this.platform.stop();
    await this.images?.close();
    await this.client.end();
    await this.database.drop();
    expect(codes).toEqual(Array.from({ length: REPLICAS * SERVICES_AND_WORKERS }, () => 0));
  }

  get url(): string {
    return this.platform.addresses.gatewayUrl;
  }

  /** A new signed-in user. */
  person(): Promise<ApiUser> {
    return ApiUser.join(this.platform, this.administrator);
  }

  /** Values of the column `value`. */
  async column<Value>(sql: string, parameters: unknown[] = []): Promise<Value[]> {
    return (await this.client.query<{ value: Value }>(sql, parameters)).rows.map(({ value }) => value);
  }

  deploy(appId: string, version: string, description: string): Promise<Answer<DeployResponse>> {
    const body = { ir_dict: noteApp(appId, version, description) };
    return this.developer.ask<DeployResponse>('POST', `/v1/developer/apps/${appId}/deploys`, { body });
  }

  /**
   * Creates an app of the developer in the marketplace, deployed as version 0.1.0. Returns its id.
   */
  async app(): Promise<string> {
    const app_id = `notes-${randomBytes(3).toString('hex')}`;
    expect(
      (await this.developer.ask<AppResponse>('POST', '/v1/developer/apps', { body: { app_id, name: app_id } })).status,
    ).toBe(201);
    expect((await this.deploy(app_id, '0.1.0', 'Keeps a number.')).status).toBe(201);
    await until(
      async () => (await this.column('SELECT served_version AS value FROM apps WHERE app_id = $1', [app_id]))[0],
    );
    await this.client.query("UPDATE apps SET status = 'active' WHERE app_id = $1", [app_id]);
    return app_id;
  }

  /** Makes all schedules due now. */
  async bringForwardSchedules(): Promise<void> {
    await this.client.query('UPDATE ext_host.schedules SET due_at = now()');
  }
}
