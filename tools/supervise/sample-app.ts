import { parseAppDocument } from '@platform/app-document';
import {
  ApiError,
  call,
  createPlatformClient,
  type DeveloperProfileResponse,
  type PlatformClient,
} from '@platform/client';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ensureApp } from '../../apps/cli/src/deploying/developer-apps.js';
import { deployDocument } from '../../apps/cli/src/deploying/deploy-document.js';

/** Short, so that the start of the platform does not wait for long. */
const TIMEOUT_MS = 20_000;
const NICKNAME = 'samples';

export interface SampleApp {
  /** URL of the gateway. */
  url: string;
  email: string;
  password: string;
  /** Folder in `examples`. */
  name: string;
}

/**
 * Deploys a sample app as an app of the administrator, who becomes a developer. Does nothing if a
 * version of it is already deployed, because the administrator has possibly changed it.
 */
export async function deploySampleApp(root: string, { url, email, password, name }: SampleApp): Promise<void> {
  const document: unknown = JSON.parse(await readFile(join(root, 'examples', name, 'app.json'), 'utf8'));
  const parsed = parseAppDocument(document);
  if (!parsed.ok) throw new Error(`examples/${name}/app.json is not a valid app document.`);
  const anyone = createPlatformClient({ baseUrl: url, timeoutMs: TIMEOUT_MS });
  const { access_token, refresh_token } = await call(anyone.POST('/v1/auth/login', { body: { email, password } }));
  const client = createPlatformClient({
    baseUrl: url,
    timeoutMs: TIMEOUT_MS,
    headers: { Authorization: `Bearer ${access_token}` },
  });
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
