import { Client } from 'pg';
import { load, type HttpRequest } from '../load/http.js';
import { CONNECTIONS } from '../identity/me.js';
import type { Comparison } from '../comparing/comparison.js';

const USERS = 100;
const APPS = 200;
const INSTALLED = 50;
const TOOLS = 20;

/**
 * Measures the first request of a session: the catalog of 50 installed apps with 20 functions each,
 * read from the database. The baseline answers the same text from memory over the same HTTP,
 * service token and entity tag.
 */
export const catalog: Comparison = {
  subject: 'GET /v1/catalog',
  baseline: 'the same JSON from memory',
  bar: 0.5,
  async prepare(platform) {
    const users = await populate(platform.databaseUrl);
    const gateway = await platform.startService('auth-gateway');
    // The registry asks the gateway every 5 s for the functions that users can call.
    const registry = await platform.startService('registry', { env: { AUTH_GATEWAY_URL: gateway.url } });
    const memory = await platform.startMemoryCatalog(registry.url);
    const requests = users.map((user): HttpRequest => ({
      method: 'GET',
      path: `/v1/catalog?user_id=${user}`,
      headers: { 'X-Service-Token': platform.serviceToken },
    }));
    let next = 0;
    const from = (url: string) => (milliseconds: number) =>
      load(url, CONNECTIONS, milliseconds, (send) => send(requests[next++ % USERS] as HttpRequest));
    return {
      baseline: from(memory.url),
      subject: from(registry.url),
      stop: () => Promise.all([registry.stop(), memory.stop(), gateway.stop()]),
    };
  },
};

/**
 * Inserts apps and installs. Each user installs every fourth app, and the next user the following
 * ones. Returns the users.
 */
async function populate(databaseUrl: string): Promise<string[]> {
  const client = new Client({ connectionString: databaseUrl, options: '-c search_path=registry' });
  await client.connect();
  try {
    await client.query(
      `INSERT INTO apps (app_id, display_name, description, category, status)
       SELECT 'app-' || n, 'App ' || n, 'What app ' || n || ' does for those who install it.', 'general', 'active'
       FROM generate_series(1, ${APPS}) n ON CONFLICT DO NOTHING`,
    );
    const tools = JSON.stringify(Array.from({ length: TOOLS }, (_value, at) => toolOf(at)));
    await client.query(
      `INSERT INTO manifests (app_id, version, tools, skeleton_sections, sha256, is_owners)
       SELECT app_id, '1.0.0', $1::json, '[]', sha256(convert_to($1::text, 'UTF8')), false FROM apps ON CONFLICT DO NOTHING`,
      [tools],
    );
    await client.query("UPDATE apps SET version = '1.0.0'");
    await client.query(
      `INSERT INTO installs (user_id, app_id, live_app_id)
       SELECT 'usr_' || lpad(u::text, 26, '0'), app, app
       FROM generate_series(1, ${USERS}) u, generate_series(1, ${INSTALLED}) n,
         LATERAL (SELECT 'app-' || ((u + n * ${APPS / INSTALLED}) % ${APPS} + 1) AS app) a ON CONFLICT DO NOTHING`,
    );
    for (const table of ['apps', 'manifests', 'installs']) await client.query(`VACUUM ANALYZE ${table}`);
  } finally {
    await client.end();
  }
  return Array.from({ length: USERS }, (_value, at) => `usr_${String(at + 1).padStart(26, '0')}`);
}

const toolOf = (at: number) => ({
  name: `function_${at}`,
  description: `Does the ${at}th thing that this app can do, and says in a few words what came of it.`,
  action_type: at % 3 ? 'read' : 'write',
  params_schema: {
    type: 'object',
    properties: {
      id: { type: 'string', description: 'Which one' },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
    },
    required: ['id'],
  },
  return_schema: null,
  required_scopes: ['*'],
});
