import {
  capabilitiesOf,
  documentHash,
  hostsOf,
  parseAppDocument,
  toolManifest,
  type AppDocument,
} from '@platform/app-document';
import { Client } from 'pg';
import { freePorts } from '../../smoke/service-process.js';
import type { BenchPlatform, RunningService } from './bench-platform.js';

const APP = 'bench';
/** User ids like those of `populate`, from 1 on. */
export const userId = (number: number): string => `usr_${String(number).padStart(26, '0')}`;
const DEVELOPER = userId(1);
/** The number of API keys. */
const USERS = 50;
export const SECRET = 'a secret that only the bench and its app know';
/** The document of each user that the function reads. */
export const DOCUMENT = { collection: 'notes', id: 'first' };

export const SENT_DOCUMENT = {
  app_id: APP,
  version: '1.0.0',
  name: 'Bench',
  secrets: [{ name: 'github_secret', scope: 'app' }],
  steps: [
    {
      id: 'read',
      kind: 'function',
      action: 'read_note',
      params: {
        description: 'Reads one note of the user.',
        params_schema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
        steps: [
          { id: 'note', kind: 'store', action: 'get', params: { kind: DOCUMENT.collection, id: '{{ args.id }}' } },
          { id: 'answer', kind: 'control', action: 'return', params: { data: '{{ steps.note.doc }}' } },
        ],
      },
    },
    {
      id: 'bytes',
      kind: 'webhook',
      action: 'bytes',
      params: {
        steps: [
          { id: 'secret', kind: 'secret', action: 'get', params: { name: 'github_secret' } },
          {
            id: 'signature',
            kind: 'crypto',
            action: 'webhook_verify',
            params: { scheme: 'github', secret: '{{ steps.secret.value }}' },
          },
          {
            id: 'answer',
            kind: 'control',
            action: 'return',
            params: { data: { body: { valid: '{{ steps.signature.valid }}' } } },
          },
        ],
      },
    },
    {
      id: 'github',
      kind: 'webhook',
      action: 'github',
      params: {
        secret_header: 'x-hub-signature-256',
        steps: [
          { id: 'secret', kind: 'secret', action: 'get', params: { name: 'github_secret' } },
          {
            id: 'signature',
            kind: 'crypto',
            action: 'hmac_verify',
            params: {
              data: '{{ event.body }}',
              secret: '{{ steps.secret.value }}',
              signature: '{{ event.headers.x-hub-signature-256 }}',
              prefix: 'sha256=',
            },
          },
          {
            id: 'known',
            kind: 'control',
            action: 'if',
            params: {
              if: { field: '{{ steps.signature.valid }}', eq: true },
              then: [{ id: 'ok', kind: 'control', action: 'return', params: { body: { ok: true } } }],
              else: [
                { id: 'refuse', kind: 'control', action: 'return', params: { status_code: 401, body: { ok: false } } },
              ],
            },
          },
        ],
      },
    },
  ],
};

/**
 * A deployed app, installed by the users of the bench and with its secret, and the services that
 * run it.
 */
export class RunningApp {
  private constructor(
    readonly gateway: RunningService,
    readonly host: RunningService,
  ) {}

  static start(platform: BenchPlatform, changes: NodeJS.ProcessEnv = {}): Promise<RunningApp> {
    return RunningApp.on(platform, () => startServices(platform, changes));
  }

  /**
   * Starts the app for measurements that do not change the services. In a tiny run they share the
   * services.
   */
  static inCommon(platform: BenchPlatform): Promise<RunningApp> {
    return RunningApp.on(platform, () => platform.inCommon('app', () => startServices(platform)));
  }

  private static async on(
    platform: BenchPlatform,
    start: () => Promise<[RunningService, RunningService]>,
  ): Promise<RunningApp> {
    await deploy(platform.databaseUrl);
    const app = new RunningApp(...(await start()));
    try {
      await setSecret(app.host.url, platform.serviceToken);
    } catch (error) {
      await app.stop();
      throw error;
    }
    return app;
  }

  async stop(): Promise<void> {
    await Promise.all([this.gateway.stop(), this.host.stop()]);
  }
}

async function startServices(
  platform: BenchPlatform,
  changes: NodeJS.ProcessEnv = {},
): Promise<[RunningService, RunningService]> {
  const [gatewayPort, hostPort] = (await freePorts(2)) as [number, number];
  const token = platform.serviceToken;
  const env = {
    EXT_WEBHOOK_HOST_URL: `http://127.0.0.1:${hostPort}`,
    EXT_WEBHOOK_HOST_SERVICE_TOKEN: token,
    AUTH_GATEWAY_URL: `http://127.0.0.1:${gatewayPort}`,
    AUTH_GATEWAY_SERVICE_TOKEN: token,
    ...changes,
  };
  const gateway = await platform.startService('auth-gateway', { env, port: gatewayPort });
  return [gateway, await platform.startService('ext-webhook-host', { env, port: hostPort })];
}

async function deploy(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl, options: '-c search_path=gateway,ext_host' });
  await client.connect();
  try {
    await insertApp(client, parsed(SENT_DOCUMENT));
    await installForAll(client, APP);
  } finally {
    await client.end();
  }
}

/**
 * Installs the app for the users of the bench, with their consent to its price, and gives each the
 * document.
 */
export async function installForAll(client: Client, appId: string): Promise<void> {
  await client.query(
    `INSERT INTO gateway.installs (user_id, app_id, tenant_id, revision, installed_at, agreed_price_version)
     SELECT 'usr_' || lpad(n::text, 26, '0'), a.app_id, 'default', n, now(), a.price_version
     FROM generate_series(1, $2::int) n, gateway.apps a WHERE a.app_id = $1
     ON CONFLICT (user_id, app_id) DO UPDATE SET agreed_price_version = excluded.agreed_price_version`,
    [appId, USERS],
  );
  await client.query(
    `INSERT INTO ext_host.documents (tenant_id, app_id, collection, user_id, id, data, bytes, etag)
     SELECT 'default', $1, $2, 'usr_' || lpad(n::text, 26, '0'), $3, data, octet_length(data::text), 'one'
     FROM generate_series(1, $4::int) n, (SELECT jsonb_build_object('text', repeat('Milk, bread. ', 10)) AS data) d ON CONFLICT DO NOTHING`,
    [appId, DOCUMENT.collection, DOCUMENT.id, USERS],
  );
}

export function parsed(sent: object): AppDocument {
  const result = parseAppDocument(sent);
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.document;
}

/** Inserts the app and makes the version active, as if the registry already had it. */
export async function insertApp(client: Client, document: AppDocument, developer = DEVELOPER): Promise<void> {
  const { id, version, title } = document.app;
  await client.query('INSERT INTO gateway.developers (user_id, display_name) VALUES ($1, $1) ON CONFLICT DO NOTHING', [
    developer,
  ]);
  await client.query(
    'INSERT INTO gateway.apps (app_id, developer_id, display_name) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
    [id, developer, title],
  );
  await client.query(
    `INSERT INTO gateway.app_versions (app_id, version, sha256, document, manifest, hosts, capabilities, registry_held_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, now()) ON CONFLICT DO NOTHING`,
    [
      id,
      version,
      Buffer.from(documentHash(document), 'hex'),
      JSON.stringify(document),
      JSON.stringify(toolManifest(document)),
      hostsOf(document.app),
      capabilitiesOf(document.app),
    ],
  );
  await client.query(`UPDATE gateway.apps SET served_version = $2, status = 'active' WHERE app_id = $1`, [id, version]);
}

async function setSecret(hostUrl: string, token: string): Promise<void> {
  const answer = await fetch(`${hostUrl}/v1/internal/apps/${APP}/secrets/github_secret?scope=app`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json', 'X-Service-Token': token },
    body: JSON.stringify({ value: SECRET }),
  });
  if (!answer.ok) throw new Error(`The secret was not set: ${answer.status} ${await answer.text()}`);
}
