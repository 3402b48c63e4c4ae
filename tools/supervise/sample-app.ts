import { parseAppDocument } from '@platform/app-document';
import { ApiError, call, createPlatformClient, type DeveloperProfileResponse, type PlatformClient } from '@platform/client';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ensureApp } from '../../apps/cli/src/deploying/apps-of-developer.js';
import { deployDocument } from '../../apps/cli/src/deploying/deploy-document.js';

/** A platform that is up should not wait for it for long. */
const TIMEOUT_MS = 20_000;
const NICKNAME = 'samples';

export interface SampleApp {
  /** Of the gateway. */
  url: string;
  email: string;
  password: string;
  /** The folder in `examples`. */
  name: string;
}

/**
 * Deploys a sample app as an app of the administrator, who becomes a developer for it. Does nothing when one of its versions is deployed
 * already: the administrator may have gone on from there.
 */
export async function deploySampleApp(root: string, { url, email, password, name }: SampleApp): Promise<void> {
  const document: unknown = JSON.parse(await readFile(join(root, 'examples', name, 'app.json'), 'utf8'));
  const parsed = parseAppDocument(document);
  if (!parsed.ok) throw new Error(`examples/${name}/app.json is no document of an app.`);
  const anyone = createPlatformClient({ baseUrl: url, timeoutMs: TIMEOUT_MS });
  const { access_token, refresh_token } = await call(anyone.POST('/v1/auth/login', { body: { email, password } }));
  const client = createPlatformClient({ baseUrl: url, timeoutMs: TIMEOUT_MS, headers: { Authorization: `Bearer ${access_token}` } });
  try {
    const { platform_id: userId } = await ensureDeveloper(client);
    const app = await ensureApp(client, parsed.document.app);
    if (app.version !== null) return;
    const deadline = Date.now() + TIMEOUT_MS;
    await deployDocument({
      client,
      userId,
      appId: name,
      document,
      pause: (ms) => (Date.now() + ms > deadline ? Promise.reject(new Error('The deploy took too long.')) : delay(ms)),
      onTrouble: () => undefined,
    });
  } finally {
    await call(client.POST('/v1/auth/logout', { body: { refresh_token } }));
  }
}

async function ensureDeveloper(client: PlatformClient): Promise<DeveloperProfileResponse> {
  const profile = () => call(client.GET('/v1/developer/profile'));
  return profile().catch(async (error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'developer.not_registered') throw error;
    await call(client.POST('/v1/developer/register', { body: { nickname: NICKNAME } }));
    return profile();
  });
}
