import { newId } from '@platform/platform';
import type { TestService } from '@platform/testing';
import type { RunGrant } from '../extensions/run-grants/run-grant.js';
import { RunGrantsService } from '../extensions/run-grants/run-grants.service.js';

/**
 * Creates a grant for a run of the app's served version. Default: of a function, without a user, in
 * the tenant `default`.
 */
export async function createRunGrant(
  service: TestService,
  appId: string,
  changes: Partial<RunGrant> = {},
): Promise<string> {
  const [version] = await service.query<{ version: string; sha256: string }>(
    `SELECT v.version, encode(v.sha256, 'hex') AS sha256 FROM apps a JOIN app_versions v ON v.app_id = a.app_id AND v.version = a.served_version
     WHERE a.app_id = $1`,
    [appId],
  );
  return service.app.get(RunGrantsService).createGrant({
    runId: newId('run'),
    appId,
    version: '1.0.0',
    sha256: '0'.repeat(64),
    ...version,
    kind: 'function',
    tenantId: 'default',
    userId: null,
    scopes: changes.userId ? ['*'] : [],
    narrowing: null,
    key: null,
    chain: [`${appId}.start`],
    hop: 0,
    eventId: null,
    expiresAt: Date.now() + 60_000,
    ...(changes.kind && changes.kind !== 'function' && { unattended: true as const }),
    ...changes,
  });
}
