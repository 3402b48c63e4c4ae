import { ApiError } from '@platform/client';
import type { UninstallResult } from '@platform/contracts';
import { TEST_SERVICE_TOKEN, until, type TestClient } from '@platform/testing';
import { createTenant } from '../../testing/tenants.js';
import type { TestDeveloper } from '../../testing/deploy-test.js';
import { ExtensionPlatform } from '../../testing/extension-platform.js';
import { newAppId } from '../../testing/apps.js';
import type { TestUser } from '../../testing/gateway-test.js';
import { ExtensionHostClient } from '../../kernel/peers/extension-host/extension-host.client.js';
import { DocumentPurgesService } from './document-purges.service.js';

/** Data that an app keeps after its user has removed it, with the real host. */
let platform: ExtensionPlatform;
let user: TestUser;
let client: TestClient;
let appId: string;
let developer: TestDeveloper;
let ownPurge: () => Promise<void>;
/** Purges that workers are running: each minute, and when a user requests one. */
const ofWorkers = new Set<Promise<void>>();
let doWorkersRest = false;
beforeAll(async () => {
  platform = await ExtensionPlatform.start();
  const all = platform.test.gateway.service.app.get(DocumentPurgesService);
  ownPurge = all.purgeAllDue.bind(all);
  jest.spyOn(all, 'purgeAllDue').mockImplementation(async () => {
    if (doWorkersRest) return;
    const purge = ownPurge().finally(() => ofWorkers.delete(purge));
    ofWorkers.add(purge);
    await purge;
  });
});
beforeEach(async () => {
  const { id: tenant_id } = await createTenant(platform.test.gateway.backend());
  user = await platform.test.gateway.user({ tenant_id });
  client = await platform.test.gateway.signIn(user);
  appId = await published();
  await install();
});
afterAll(() => platform.stop());

async function published(): Promise<string> {
  developer = await platform.test.developer();
  const id = await platform.test.app(developer);
  const steps = [
    {
      id: 'now',
      kind: 'function',
      action: 'now',
      params: {
        description: 'Says what time it is, as it should.',
        action_type: 'read',
        params_schema: { type: 'object' },
        steps: [{ id: 'now', kind: 'transform', action: 'now', params: {} }],
      },
    },
  ];
  const ir_dict = { app_id: id, version: '1.0.0', name: 'App', steps };
  expect(await platform.test.deployAndWait(developer, id, { ir_dict })).toMatchObject({ status: 'success' });
  await platform.test.query("UPDATE apps SET status = 'active', published_at = now() WHERE app_id = $1", [id]);
  return id;
}
const path = () => `/v1/marketplace/apps/${appId}/install`;
const install = async () => expect((await client.post(path(), {})).status).toBe(200);
const uninstall = (query = '') => client.delete<UninstallResult>(path() + query);
const removed = async (query = '') => {
  const { status, body } = await uninstall(query);
  expect(status).toBe(200);
  return body;
};
const query = <Row>(sql: string, values: unknown[] = []) => platform.test.query<Row>(sql, values);
/** Inserts a document, as a run of the app does. */
const keep = async (id: string, { userId = user.id, tenantId = user.tenant_id, app = appId } = {}) => {
  await platform.host.query(
    `INSERT INTO ext_host.documents (tenant_id, app_id, collection, user_id, id, data, bytes, etag)
     VALUES ($1, $2, 'kept', $3, $4, '{}', 2, 'e')`,
    [tenantId, app, userId, id],
  );
};
const keepSecret = () =>
  platform.host.query(
    "INSERT INTO ext_host.secrets (app_id, identity, name, sealed, key_id) VALUES ($1, $2, 'token', 'k1.x', 'k1')",
    [appId, user.id],
  );
const secrets = async () =>
  (await platform.host.query('SELECT FROM ext_host.secrets WHERE app_id = $1', [appId])).length;
const kept = async (app = appId) =>
  (
    await platform.host.query<{ id: string }>('SELECT id FROM ext_host.documents WHERE app_id = $1 ORDER BY id', [app])
  ).map(({ id }) => id);
const purges = () =>
  query<{ is_asked: boolean; is_due: boolean; in_days: number }>(
    `SELECT is_asked, due_at <= now() + interval '5 minutes' AS is_due, round(extract(epoch FROM due_at - removed_at) / 86400)::int AS in_days
     FROM document_purges WHERE (user_id IN ($1, '*') AND app_id = $2) OR (user_id = $1 AND app_id = '*') ORDER BY is_asked`,
    [user.id, appId],
  );
/** Moves the removal into the past. */
const later = (interval: string) =>
  query(
    `UPDATE document_purges SET removed_at = removed_at - $3::interval, due_at = due_at - $3::interval
     WHERE (user_id IN ($1, '*') AND app_id = $2) OR (user_id = $1 AND app_id = '*')`,
    [user.id, appId, interval],
  );
/** Runs the due purges, and waits for those that a worker has taken. */
async function purgeDue(): Promise<void> {
  await ownPurge();
  await Promise.all(ofWorkers);
}
const purgedAll = () =>
  until(async () => {
    await purgeDue();
    return (await kept()).length === 0;
  });
/** Makes purges due that were postponed because the host did not answer. */
const dueNow = () =>
  query('UPDATE document_purges SET due_at = now() WHERE user_id = $1 AND app_id = $2', [user.id, appId]);
const audited = async () =>
  (
    await query<{ actor_id: string; metadata: object }>(
      "SELECT actor_id, metadata FROM gateway_audit.audit_entries WHERE action = 'app.purge_asked' AND target_id = $1 ORDER BY id",
      [appId],
    )
  ).map(({ actor_id, metadata }) => [actor_id, metadata]);

describe('what an app keeps for a user who removes it', () => {
  it('is deleted 30 days later, with the secrets, and not what it keeps for others and itself', async () => {
    const other = await platform.test.gateway.user();
    const otherApp = newAppId();
    await keep('mine');
    await keepSecret();
    await keep('of another user', { userId: other.id, tenantId: 'default' });
    await keep('of the app', { userId: '__system__' });
    await keep('of another app', { app: otherApp });
    const { kept_until } = await removed();
    expect(new Date(kept_until ?? 0).getTime() - Date.now()).toBeGreaterThan(29.9 * 86_400_000);
    expect((await removed()).kept_until).toBe(kept_until);
    expect(await purges()).toEqual([{ is_asked: false, is_due: false, in_days: 30 }]);
    await later('29 days');
    await purgeDue();
    expect(await kept()).toEqual(['mine', 'of another user', 'of the app']);
    await later('2 days');
    await Promise.all([purgeDue(), purgeDue()]);
    expect(await kept()).toEqual(['of another user', 'of the app']);
    expect(await secrets()).toBe(0);
    expect(await kept(otherApp)).toEqual(['of another app']);
    expect(await purges()).toEqual([]);
  });

  it('stays when the user installs the app again before', async () => {
    await keep('mine');
    await removed();
    await later('29 days');
    await install();
    expect(await purges()).toEqual([]);
    await purgeDue();
    expect(await kept()).toEqual(['mine']);
    expect((await removed()).kept_until).not.toBeNull();
    expect(await purges()).toEqual([{ is_asked: false, is_due: false, in_days: 30 }]);
  });

  it('is deleted at once when the user wants it, also afterwards, and what runs still kept by then a while later', async () => {
    await keep('mine');
    await keepSecret();
    expect(await removed('?purge=true')).toMatchObject({ uninstalled_at: expect.any(String), kept_until: null });
    await purgedAll();
    expect(await secrets()).toBe(1);
    await keep('by a run that went on');
    await later('2 hours');
    await purgeDue();
    expect(await kept()).toEqual([]);
    expect([await secrets(), await purges()]).toEqual([0, []]);
    await install();
    await keep('again');
    await removed();
    expect(await kept()).toEqual(['again']);
    await Promise.all([removed('?purge=true'), removed('?purge=true')]);
    await purgedAll();
    expect(await purges()).toMatchObject([{ is_asked: true }]);
    expect(await audited()).toEqual(Array.from({ length: 3 }, () => [user.id, { user_id: user.id }]));
  });

  it('is deleted at once by an API key that may remove apps, and the audit log says whose key asked for it', async () => {
    await keep('mine');
    const { body } = await client.post<{ id: string; key: string }>('/v1/keys', {
      name: 'removes',
      scopes: 'installs:write',
    });
    const withKey = platform.test.gateway.client().withToken(body.key);
    expect(await withKey.delete(`${path()}?purge=true`)).toMatchObject({ status: 200, body: { kept_until: null } });
    await purgedAll();
    expect(await audited()).toEqual([[body.id, { user_id: user.id }]]);
  });

  it('is deleted up to when the user installed it again, where they wanted that and the host was away', async () => {
    await keep('before');
    await platform.wire.cut();
    try {
      expect((await removed('?purge=true')).kept_until).toBeNull();
      await purgeDue();
      expect(await kept()).toEqual(['before']);
      expect(await purges()).toEqual([{ is_asked: true, is_due: true, in_days: 0 }]);
      await keep('written again');
      await install();
      await keep('after');
      await platform.host.query(
        "UPDATE ext_host.documents SET data = '{}', updated_at = now() WHERE app_id = $1 AND id = 'written again'",
        [appId],
      );
    } finally {
      await platform.wire.restore();
    }
    await until(async () => {
      await dueNow();
      await purgeDue();
      return !(await kept()).includes('before');
    });
    await purgeDue();
    expect(await kept()).toEqual(['after', 'written again']);
    expect(await purges()).toEqual([]);
  });

  it('is not deleted for a word that is none, nor by who may not remove it, nor for others', async () => {
    await keep('mine');
    expect((await uninstall('?purge=perhaps')).status).toBe(422);
    expect((await uninstall('?purge=true&perge=true')).status).toBe(422);
    expect((await platform.test.gateway.client().delete(`${path()}?purge=true`)).status).toBe(401);
    const { body } = await client.post<{ key: string }>('/v1/keys', { name: 'reads', scopes: 'installs:read' });
    expect((await platform.test.gateway.client().withToken(body.key).delete(`${path()}?purge=true`)).status).toBe(403);
    const stranger = await platform.test.gateway.signIn(await platform.test.gateway.user());
    expect(await stranger.delete(`${path()}?purge=true`)).toMatchObject({
      status: 200,
      body: { uninstalled_at: null, kept_until: null },
    });
    await purgeDue();
    expect(await kept()).toEqual(['mine']);
    expect(await purges()).toEqual([]);
  });

  const erase = async (id: string, tenant_id: string) => {
    const admin = await platform.test.gateway.signIn(await platform.test.gateway.user({ role: 'admin', tenant_id }));
    expect((await admin.delete(`/v1/users/${id}?permanent=true`)).status).toBe(200);
  };

  it('is deleted when the user is erased, also what apps keep that they removed before or never installed', async () => {
    const [before, never] = [newAppId(), newAppId()];
    await keep('mine');
    await keep('removed before', { app: before });
    await keep('of a draft of their own', { app: never });
    await keepSecret();
    await erase(user.id, user.tenant_id ?? '');
    await purgedAll();
    expect([await kept(before), await kept(never), await secrets()]).toEqual([[], [], 1]);
    await later('2 hours');
    await purgeDue();
    expect(await secrets()).toBe(0);
  });

  it('is deleted when a user is erased who has no app any more', async () => {
    await keep('mine');
    await removed();
    await erase(user.id, user.tenant_id ?? '');
    await purgeDue();
    expect(await kept()).toEqual([]);
  });

  const deleteApp = async (id = appId) =>
    expect(await developer.client.request('DELETE', `/v1/developer/apps/${id}`, { confirm_name: id })).toMatchObject({
      status: 200,
    });
  const suspend = () => query("UPDATE apps SET status = 'suspended' WHERE app_id = $1", [appId]);
  const usage = async (app: string) =>
    (await platform.host.query('SELECT FROM ext_host.document_usage WHERE app_id = $1', [app])).length;

  it('is deleted 30 days after the app is, with all that the app kept in every tenant and for itself', async () => {
    const other = await platform.test.gateway.user();
    await keep('mine');
    await keep('of a user who never installed it', { userId: other.id, tenantId: 'default' });
    await keep('of the app', { userId: '__system__', tenantId: 'default' });
    await keepSecret();
    await suspend();
    await deleteApp();
    expect(await purges()).toEqual([{ is_asked: false, is_due: false, in_days: 30 }]);
    await purgeDue();
    expect(await kept()).toEqual(['mine', 'of a user who never installed it', 'of the app']);
    await later('31 days');
    await purgeDue();
    expect([await kept(), await purges(), await secrets(), await usage(appId)]).toEqual([[], [], 0, 0]);
  });

  it('is deleted at once with a draft that nobody else ever had, and a while later once more', async () => {
    const draft = await platform.test.app(developer);
    const [userId, tenantId] = [developer.user.id, 'default'];
    await keep('mine', { userId, tenantId, app: draft });
    await keep('of the app', { userId: '__webhook__', tenantId, app: draft });
    await deleteApp(draft);
    await purgeDue();
    expect(await kept(draft)).toEqual([]);
    await keep('by a run that went on', { userId, tenantId, app: draft });
    await query(
      "UPDATE document_purges SET removed_at = now() - interval '2 hours', due_at = now() WHERE app_id = $1",
      [draft],
    );
    await purgeDue();
    expect([await kept(draft), await usage(draft)]).toEqual([[], 0]);
    expect(await query('SELECT FROM document_purges WHERE app_id = $1', [draft])).toEqual([]);
  });

  it('stays when it is of another app that has the id of a deleted one', async () => {
    const draft = await platform.test.app(developer);
    const [userId, tenantId] = [developer.user.id, 'default'];
    await keep('before', { userId, tenantId, app: draft });
    await deleteApp(draft);
    await query("INSERT INTO apps (app_id, developer_id, display_name) VALUES ($1, $2, 'Again')", [draft, userId]);
    await keep('after', { userId, tenantId, app: draft });
    await purgeDue();
    expect(await kept(draft)).toEqual(['after']);
  });

  it('is deleted at once when the user wants it of an app that is gone by now, and not found for one that never was', async () => {
    await keep('mine');
    await suspend();
    await deleteApp();
    expect((await uninstall()).status).toBe(404);
    expect(await removed('?purge=true')).toMatchObject({ uninstalled_at: null, kept_until: null });
    await purgedAll();
    expect(await audited()).toEqual([[user.id, { user_id: user.id }]]);
    appId = newAppId();
    expect((await uninstall('?purge=true')).status).toBe(404);
  });

  it('stays when the install came back in a way that left the row, and when a release removed it that knows of no rows', async () => {
    await keep('mine');
    await query('UPDATE installs SET removed_at = now(), revision = revision + 1 WHERE user_id = $1', [user.id]);
    expect(await purges()).toEqual([{ is_asked: false, is_due: false, in_days: 30 }]);
    await query('ALTER TABLE installs DISABLE TRIGGER installs_note_purge');
    try {
      await query('UPDATE installs SET removed_at = NULL, revision = revision + 1 WHERE user_id = $1', [user.id]);
    } finally {
      await query('ALTER TABLE installs ENABLE TRIGGER installs_note_purge');
    }
    await later('31 days'); // otherwise a worker could take it before the install is back
    await purgeDue();
    expect([await kept(), await purges()]).toEqual([['mine'], []]);
  });

  it('stays when the user develops the app, who has it without installing it', async () => {
    [user, client] = [developer.user, developer.client];
    await install();
    await keep('mine', { userId: user.id, tenantId: 'default' });
    await removed();
    await later('31 days');
    await purgeDue();
    expect(await kept()).toEqual(['mine']);
    expect(await purges()).toMatchObject([{ is_asked: false, is_due: false }]);
    await removed('?purge=true');
    await keep('since', { userId: user.id, tenantId: 'default' });
    await until(async () => {
      await purgeDue();
      return !(await kept()).includes('mine');
    });
    expect(await kept()).toEqual(['since']);
  });

  it('stays from the next request on when the user installs the app again while it is being deleted', async () => {
    await platform.host.query(
      `INSERT INTO ext_host.documents (tenant_id, app_id, collection, user_id, id, data, bytes, etag)
       SELECT $1, $2, 'kept', $3, n::text, '{}', 2, 'e' FROM generate_series(1, 1500) n`,
      [user.tenant_id, appId, user.id],
    );
    await removed();
    const host = platform.test.gateway.service.app.get(ExtensionHostClient);
    const original = host.purge.bind(host);
    const purge = jest.spyOn(host, 'purge').mockImplementation(async (request) => {
      const answer = await original(request);
      if (request.app_id === appId) await install();
      return answer;
    });
    try {
      await later('31 days');
      await purgeDue();
    } finally {
      purge.mockRestore();
    }
    expect(await kept()).toHaveLength(500);
    expect(await purges()).toEqual([]);
  });

  it('keeps nobody else waiting when there is much of it, or when it fails', async () => {
    doWorkersRest = true;
    await Promise.all(ofWorkers);
    const ids = [appId];
    while (ids.length < 3) ids.push(newAppId());
    await query('DELETE FROM document_purges WHERE due_at <= now()');
    const other = await platform.test.gateway.user();
    for (const [at, app] of [...ids, 'failing'].entries()) {
      await query(
        `INSERT INTO document_purges (user_id, app_id, is_asked, owner_id, tenant_id, removed_at, due_at)
         VALUES ($1, $2, true, $1, $3, now() - interval '3 hours', now() - interval '1 hour' + make_interval(secs => $4))`,
        [user.id, app, user.tenant_id, at],
      );
    }
    await query(
      `INSERT INTO document_purges (user_id, app_id, is_asked, owner_id, tenant_id, removed_at, due_at)
       VALUES ($1, $2, true, $1, 'default', now() - interval '3 hours', now())`,
      [other.id, appId],
    );
    const host = platform.test.gateway.service.app.get(ExtensionHostClient);
    const asked: string[] = [];
    const purge = jest.spyOn(host, 'purge').mockImplementation(({ app_id, user_id }) => {
      asked.push(`${user_id === other.id ? 'other' : 'user'} ${app_id}`);
      if (app_id === 'failing') throw new ApiError('no', { status: 500, code: 'internal_error' });
      return Promise.resolve({ deleted: 1000, has_more: app_id === appId && user_id === user.id && asked.length < 25 });
    });
    try {
      await purgeDue();
    } finally {
      purge.mockRestore();
      doWorkersRest = false;
    }
    const mine = `user ${appId}`;
    expect(asked.slice(0, 11)).toEqual([...Array.from({ length: 10 }, () => mine), `other ${appId}`]);
    expect(asked.filter((one) => one === 'user failing')).toHaveLength(1);
    expect(await query('SELECT app_id FROM document_purges WHERE owner_id IN ($1, $2)', [user.id, other.id])).toEqual([
      { app_id: 'failing' },
    ]);
  });
});

describe('the host', () => {
  it('deletes nothing of apps themselves, for nobody but the gateway', async () => {
    await keep('of the app', { userId: '__system__', tenantId: 'default' });
    const target = '/v1/internal/purges';
    const request = {
      app_id: appId,
      user_id: '__system__',
      tenant_id: 'default',
      changed_before: new Date().toISOString(),
      with_secrets: true,
    };
    expect((await platform.host.client().post(target, request)).status).toBe(401);
    const backend = platform.host.client().withHeaders({ 'X-Service-Token': TEST_SERVICE_TOKEN });
    expect((await backend.post(target, request)).status).toBe(422);
    expect((await backend.post(target, { ...request, user_id: null, app_id: null })).status).toBe(422);
    expect((await backend.post(target, { ...request, user_id: user.id, tenant_id: null })).status).toBe(422);
    expect((await backend.post(target, { ...request, user_id: user.id })).status).toBe(200);
    expect(await kept()).toEqual(['of the app']);
  });
});
