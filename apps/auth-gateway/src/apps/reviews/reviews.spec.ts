import type { AppDetailResponse, AppResponse, AppSubmitResponse, PendingAppResponse } from '@platform/contracts';
import type { TestClient } from '@platform/testing';
import {
  createDraftApp,
  storeDeployedVersion,
  expectUnchanged,
  auditEntriesOf,
  newDeveloper,
  recordDeploy,
  type TestDeveloper,
} from '../../testing/developers.js';
import { GatewayTest } from '../../testing/gateway-test.js';
import { EnqueuedJobs } from '../../testing/enqueued-jobs.js';
import { createTenant } from '../../testing/tenants.js';
import { AppDeletionsService } from '../own-apps/app-deletions.service.js';

let gateway: GatewayTest;
let jobs: EnqueuedJobs;
let developer: TestDeveloper;
let admin: TestClient;
beforeAll(async () => {
  gateway = await GatewayTest.start();
  jobs = await EnqueuedJobs.watch(gateway.service);
  developer = await newDeveloper(gateway);
  admin = await gateway.signIn(await gateway.user({ role: 'admin' }));
});
afterAll(() => gateway.stop());

const submit = (appId: string) => developer.client.post<AppSubmitResponse>(`/v1/developer/apps/${appId}/submit`, {});
const suspend = (appId: string) => developer.client.post(`/v1/developer/apps/${appId}/suspend`);
const approve = (appId: string, client = admin) => client.post(`/v1/admin/apps/${appId}/approve`);
const reject = (appId: string, reason = 'It does nothing.', client = admin) =>
  client.post(`/v1/admin/apps/${appId}/reject`, { reason });
const setStatus = (appId: string, status: string, client = admin) =>
  client.post(`/v1/admin/apps/${appId}/status`, { status });
const deleteApp = (appId: string, body: object, client = admin) =>
  client.request('DELETE', `/v1/admin/apps/${appId}`, body);
const shown = async (appId: string) =>
  (await developer.client.get<AppDetailResponse>(`/v1/developer/apps/${appId}`)).body;
const syncs = (appId: string) => jobs.count('app-sync', { app_id: appId });

/** An app with a served version, after these status changes. */
async function appAfter(...steps: ((appId: string) => Promise<{ status: number }>)[]): Promise<string> {
  const { app_id } = await createDraftApp(developer);
  await storeDeployedVersion(gateway, app_id);
  for (const step of steps) expect((await step(app_id)).status).toBe(200);
  return app_id;
}

const inStatus: Record<AppResponse['status'], () => Promise<string>> = {
  draft: () => appAfter(),
  pending_review: () => appAfter(submit),
  active: () => appAfter(submit, approve),
  suspended: () => appAfter(submit, suspend),
};

describe('submitting an app', () => {
  it('works as the interface shows it: with what the sample gives, and after one successful deploy', async () => {
    const appId = await appAfter();
    const { status, body } = await submit(appId);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      app_id: appId,
      status: 'pending_review',
      submitted_at: expect.any(String),
      version: '1.0.0',
    });
    expect(body.checks).toEqual([
      { check: 'status', ok: true, required: true, message: expect.any(String) },
      { check: 'successful_deploy', ok: true, required: true, message: expect.any(String) },
      { check: 'version', ok: true, required: true, message: expect.any(String) },
      { check: 'content', ok: true, required: false, message: expect.any(String) },
      { check: 'price', ok: true, required: false, message: expect.any(String) },
      { check: 'release', ok: true, required: true, message: expect.any(String) },
      { check: 'description', ok: false, required: false, message: expect.any(String) },
      { check: 'display_name', ok: true, required: false, message: expect.any(String) },
      { check: 'icon', ok: false, required: false, message: expect.any(String) },
    ]);
    expect(await shown(appId)).toMatchObject({
      status: 'pending_review',
      submitted_at: body.submitted_at,
      submitted_version: '1.0.0',
    });
    expect(await syncs(appId)).toBe(1);
    expect((await auditEntriesOf(gateway, appId)).at(-1)).toMatchObject({
      action: 'app.submitted',
      before_state: { status: 'draft' },
      after_state: { status: 'pending_review', submitted_version: '1.0.0' },
    });
  });

  it('advises nothing when nothing is missing', async () => {
    const { app_id } = await createDraftApp(developer, {
      description: 'Makes invoices out of what was agreed on in a chat.',
      icon: 'invoice',
    });
    await storeDeployedVersion(gateway, app_id);
    expect((await submit(app_id)).body.checks.filter(({ ok }) => !ok)).toEqual([]);
  });

  const failing = (...checks: string[]) => ({
    status: 409,
    body: {
      code: 'app.not_ready',
      detail: {
        message: expect.any(String),
        checks: expect.arrayContaining(
          checks.map((check) => ({ check, ok: false, required: true, message: expect.any(String) })),
        ),
      },
    },
  });

  it('needs a deploy that succeeded', async () => {
    const { app_id } = await createDraftApp(developer);
    await recordDeploy(gateway, app_id, 'failed');
    await expectUnchanged(gateway, app_id, async () =>
      expect(await submit(app_id)).toMatchObject(failing('successful_deploy', 'version')),
    );
    await recordDeploy(gateway, app_id, 'warning');
    await expectUnchanged(gateway, app_id, async () => expect(await submit(app_id)).toMatchObject(failing('version')));
    expect(await syncs(app_id)).toBe(0);
    await storeDeployedVersion(gateway, app_id);
    expect((await submit(app_id)).status).toBe(200);
  });

  it.each<[string, object, boolean]>([
    ['nothing at all', {}, false],
    ['a description and secrets alone', { description: 'Long.', secrets: [{ name: 'key' }], settings: [] }, false],
    ['a webhook', { webhooks: [{ path: 'in' }] }, true],
    ['a schedule', { schedules: [{ name: 'daily' }] }, true],
    ['a handler of events', { events: { subscribes: [{ type: 'a.b' }], emits: [] } }, true],
    ['a panel', { ui: { panels: [{ panel_id: 'main' }] } }, true],
  ])('of a version with %s goes as far as it does something', async (_what, app, isReady) => {
    const { app_id } = await createDraftApp(developer);
    const empty = { webhooks: [], schedules: [], events: { subscribes: [], emits: [] }, ui: { panels: [] } };
    await storeDeployedVersion(gateway, app_id, '1.0.0', { tools: [], document: { app: { ...empty, ...app } } });
    if (isReady) expect((await submit(app_id)).status).toBe(200);
    else
      await expectUnchanged(gateway, app_id, async () =>
        expect(await submit(app_id)).toMatchObject(failing('content')),
      );
  });

  it('needs no content of a version that came without its document, and says what is missing', async () => {
    const { app_id } = await createDraftApp(developer);
    await storeDeployedVersion(gateway, app_id, '1.0.0', { tools: [] });
    const answer = await submit(app_id);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      checks: expect.arrayContaining([expect.objectContaining({ check: 'content', ok: false, required: false })]),
    });
  });

  it('needs a price of what is paid for by the month', async () => {
    const { app_id } = await createDraftApp(developer, { pricing_model: 'subscription' });
    await storeDeployedVersion(gateway, app_id);
    await expectUnchanged(gateway, app_id, async () => expect(await submit(app_id)).toMatchObject(failing('price')));
    await developer.client.put(`/v1/developer/apps/${app_id}`, { pricing_config: { monthly_price: 5 } });
    expect((await submit(app_id)).status).toBe(200);
  });

  it.each([
    ['nothing', null, false, /^A function of the version that runs has a price in `pricing_config.tool_prices`\.$/],
    [
      'another function',
      { tool_prices: { create_invoices: 5, create_invoice: 0 } },
      false,
      /^No price counts: `create_invoices` is no function of this version \(it has create_invoice\)\.$/,
    ],
    [
      'a few others',
      { tool_prices: { b: 5, c: 1, a: 2, d: 3, ['e'.repeat(9_000)]: 1 } },
      false,
      /^No price counts: `a`, `b`, `c`, … are no functions of this version \(it has create_invoice\)\.$/,
    ],
    [
      'one of a long name',
      { tool_prices: { ['e'.repeat(9_000)]: 1 } },
      false,
      /^No price counts: `e{64}` is no function/,
    ],
    [
      'a function',
      { tool_prices: { create_invoice: 5 } },
      true,
      /^A function of the version that runs has a price in .*tool_prices`\.$/,
    ],
    [
      'a function and another one',
      { tool_prices: { create_invoice: 5, make: 5, look: 0 } },
      true,
      /^A function of .*tool_prices`\. But `make` is no function of this version\.$/,
    ],
  ])('says whether calls cost something, where %s has a price', async (_what, pricing_config, ok, message) => {
    const { app_id } = await createDraftApp(developer, { pricing_model: 'per_action', pricing_config });
    await storeDeployedVersion(gateway, app_id);
    const { status, body } = await submit(app_id);
    expect(status).toBe(200);
    expect(body.checks).toContainEqual({
      check: 'price',
      ok,
      required: false,
      message: expect.stringMatching(message),
    });
  });

  it('is refused while a development version runs', async () => {
    const { app_id } = await createDraftApp(developer);
    await storeDeployedVersion(gateway, app_id, '1.0.0-dev.3');
    await expectUnchanged(gateway, app_id, async () => expect(await submit(app_id)).toMatchObject(failing('release')));
  });

  it.each(['pending_review', 'active'] as const)('is refused while the app is %s', async (status) => {
    const appId = await inStatus[status]();
    await expectUnchanged(gateway, appId, async () => expect(await submit(appId)).toMatchObject(failing('status')));
  });

  it('works again after a rejection and after a suspension, for the version that runs by then', async () => {
    const rejected = await appAfter(submit, reject);
    expect(await shown(rejected)).toMatchObject({ status: 'draft', reject_reason: 'It does nothing.' });
    await storeDeployedVersion(gateway, rejected, '1.1.0');
    expect((await submit(rejected)).body).toMatchObject({ status: 'pending_review', version: '1.1.0' });
    expect(await shown(rejected)).toMatchObject({ reject_reason: null });
    expect((await submit(await inStatus.suspended())).status).toBe(200);
  });

  it('is refused while it waits, and says so', async () => {
    const appId = await appAfter(submit);
    const { status, body } = await submit(appId);
    expect(status).toBe(409);
    expect(JSON.stringify(body)).toContain('It waits for a review already.');
  });

  it('happens once, though 50 ask for it at once', async () => {
    const appId = await appAfter();
    const answers = await Promise.all(Array.from({ length: 50 }, () => submit(appId)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(49);
    expect(await syncs(appId)).toBe(1);
  });

  it('and deleting are not both done, of 50 at once', async () => {
    const remove = (appId: string) =>
      developer.client.request('DELETE', `/v1/developer/apps/${appId}`, { confirm_name: appId });
    const appId = await appAfter();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_value, at) => (at % 2 ? submit(appId) : remove(appId))),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const actions = (await auditEntriesOf(gateway, appId)).map(({ action }) => action);
    const [last] = actions.slice(-1);
    expect(actions).toEqual(['app.created', last]);
    const stored = await gateway.service.query('SELECT status FROM apps WHERE app_id = $1', [appId]);
    expect(stored).toEqual(last === 'app.deleted' ? [] : [{ status: 'pending_review' }]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(
      new Set(last === 'app.deleted' ? [200, 404] : [200, 409]),
    );
  });
});

describe('suspending an app', () => {
  it.each(['pending_review', 'active'] as const)('works while it is %s', async (status) => {
    const appId = await inStatus[status]();
    const before = await syncs(appId);
    expect(await suspend(appId)).toMatchObject({ status: 200, body: { app_id: appId, status: 'suspended' } });
    expect((await shown(appId)).status).toBe('suspended');
    expect(await syncs(appId)).toBe(before + 1);
    expect((await auditEntriesOf(gateway, appId)).at(-1)).toMatchObject({
      action: 'app.suspended',
      before_state: { status },
      after_state: { status: 'suspended' },
    });
  });

  it.each(['draft', 'suspended'] as const)('is refused while it is %s', async (status) => {
    const appId = await inStatus[status]();
    await expectUnchanged(gateway, appId, async () => {
      expect(await suspend(appId)).toMatchObject({ status: 409, body: { code: 'app.wrong_status', status } });
    });
  });
});

describe('a review', () => {
  it('sees what waits, what waits longest first', async () => {
    const ids = [await inStatus.pending_review(), await inStatus.pending_review()];
    const { status, body } = await admin.get<PendingAppResponse[]>('/v1/admin/apps/pending?limit=500');
    expect(status).toBe(200);
    const waiting = body.map(({ app_id }) => app_id);
    expect(waiting.filter((id) => ids.includes(id))).toEqual(ids);
    expect(body.find(({ app_id }) => app_id === ids[0])).toEqual({
      app_id: ids[0],
      name: 'Invoices',
      display_name: 'Invoices',
      developer_id: developer.user.id,
      short_description: 'Makes invoices',
      description: '',
      category: 'finance',
      git_url: null,
      hosts: [],
      capabilities: [],
      pricing_model: 'free',
      pricing_config: null,
      revenue_split_dev: 95,
      submitted_at: expect.any(String),
      submitted_version: '1.0.0',
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      served_version: null,
      waits_for: null,
    });
    const page = await admin.get<PendingAppResponse[]>(`/v1/admin/apps/pending?limit=1&offset=${waiting.length - 1}`);
    expect(page.body.map(({ app_id }) => app_id)).toEqual(waiting.slice(-1));
    for (const id of ids) await approve(id);
    const later = (await admin.get<PendingAppResponse[]>('/v1/admin/apps/pending?limit=500')).body;
    expect(later.filter(({ app_id }) => ids.includes(app_id))).toEqual([]);
  });

  it('puts an app into the marketplace, for an administrator and for a trusted backend', async () => {
    for (const client of [admin, gateway.backend()]) {
      const appId = await inStatus.pending_review();
      expect(await approve(appId, client)).toMatchObject({
        status: 200,
        body: { app_id: appId, status: 'active', version: '1.0.0' },
      });
      expect(await shown(appId)).toMatchObject({
        status: 'active',
        version: '1.0.0',
        published_at: expect.any(String),
        reject_reason: null,
      });
      expect(await syncs(appId)).toBe(2);
      expect((await auditEntriesOf(gateway, appId)).at(-1)).toMatchObject({
        action: 'app.approved',
        tenant_id: 'default',
        before_state: { status: 'pending_review' },
        after_state: { status: 'active' },
      });
    }
  });

  it('is about the version that was submitted, though another was deployed since', async () => {
    const appId = await inStatus.pending_review();
    await storeDeployedVersion(gateway, appId, '2.0.0');
    expect(await shown(appId)).toMatchObject({ version: '2.0.0', submitted_version: '1.0.0' });
    expect((await approve(appId)).body).toMatchObject({ version: '1.0.0' });
    expect(await shown(appId)).toMatchObject({ version: '1.0.0' });
    expect((await auditEntriesOf(gateway, appId)).at(-1)).toMatchObject({
      before_state: { version: '2.0.0' },
      after_state: { version: '1.0.0' },
    });
  });

  it('keeps the day on which an app came into the marketplace first', async () => {
    const appId = await inStatus.active();
    const { published_at } = await shown(appId);
    for (const step of [suspend, submit, approve]) expect((await step(appId)).status).toBe(200);
    expect((await shown(appId)).published_at).toBe(published_at);
  });

  it('sends an app back with a reason', async () => {
    const appId = await inStatus.pending_review();
    const answer = await reject(appId, 'The name misleads.\nChoose another.');
    const refused = { app_id: appId, status: 'draft', reject_reason: 'The name misleads.\nChoose another.' };
    expect(answer).toMatchObject({ status: 200, body: refused });
    expect(await shown(appId)).toMatchObject({ ...refused, published_at: null });
    expect(await syncs(appId)).toBe(2);
    expect((await auditEntriesOf(gateway, appId)).at(-1)).toMatchObject({
      action: 'app.rejected',
      after_state: { reject_reason: refused.reject_reason },
    });
  });

  it.each([
    ['no reason', {}, 'missing'],
    ['a blank reason', { reason: ' ' }, 'string_too_short'],
    ['a reason of 501 characters', { reason: 'x'.repeat(501) }, 'string_too_long'],
  ])('takes no rejection with %s', async (_what, body, type) => {
    const appId = await inStatus.pending_review();
    const answer = await admin.post(`/v1/admin/apps/${appId}/reject`, body);
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'reason'], type }] } });
  });

  it.each(['draft', 'active', 'suspended'] as const)(
    'is over, or has not begun, while an app is %s',
    async (status) => {
      const appId = await inStatus[status]();
      await expectUnchanged(gateway, appId, async () => {
        for (const answer of [await approve(appId), await reject(appId)]) {
          expect(answer).toMatchObject({ status: 409, body: { code: 'app.wrong_status', status } });
        }
      });
    },
  );

  it('ends once, though 50 decide at once and differently', async () => {
    const appId = await inStatus.pending_review();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_value, at) => (at % 2 ? approve(appId) : reject(appId))),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(49);
    const decided = (await auditEntriesOf(gateway, appId)).map(({ action }) => action).slice(2);
    expect([['app.approved'], ['app.rejected']]).toContainEqual(decided);
    expect((await shown(appId)).status).toBe(decided[0] === 'app.approved' ? 'active' : 'draft');
  });

  it('and suspending leave one history, whichever come first', async () => {
    const appId = await inStatus.pending_review();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_value, at) => (at % 2 ? approve(appId) : suspend(appId))),
    );
    const accepted = answers.filter((answer) => answer.status === 200).length;
    const actions = (await auditEntriesOf(gateway, appId)).map(({ action }) => action).slice(2);
    expect([['app.suspended'], ['app.approved', 'app.suspended']]).toContainEqual(actions);
    expect(actions).toHaveLength(accepted);
    expect((await shown(appId)).status).toBe('suspended');
  });
});

describe('setting a status without a review', () => {
  const TARGETS = ['active', 'suspended', 'draft'] as const;
  it.each(
    (['draft', 'pending_review', 'active', 'suspended'] as const).flatMap((from) =>
      TARGETS.map((to) => [from, to] as const),
    ),
  )('goes from %s to %s', async (from, to) => {
    const appId = await inStatus[from]();
    const [before, history] = [await syncs(appId), await auditEntriesOf(gateway, appId)];
    expect(await setStatus(appId, to)).toMatchObject({ status: 200, body: { app_id: appId, status: to } });
    expect((await shown(appId)).status).toBe(to);
    // The platform can also suspend an app that its developer has suspended.
    const changes = from === to && to !== 'suspended' ? 0 : 1;
    expect(await setStatus(appId, to)).toMatchObject({ status: 200 }); // again
    expect(await syncs(appId)).toBe(before + changes);
    expect(await auditEntriesOf(gateway, appId)).toHaveLength(history.length + changes);
  });

  it('makes nothing active that could not run, and takes the version that was submitted', async () => {
    const { app_id } = await createDraftApp(developer);
    await expectUnchanged(gateway, app_id, async () => {
      expect(await setStatus(app_id, 'active')).toMatchObject({ status: 409, body: { code: 'app.never_deployed' } });
    });
    const submitted = await inStatus.pending_review();
    await storeDeployedVersion(gateway, submitted, '2.0.0');
    await setStatus(submitted, 'active');
    expect(await shown(submitted)).toMatchObject({ status: 'active', version: '1.0.0' });
  });

  it.each(['pending_review', 'deleted', ''])('knows no status %j', async (status) => {
    expect((await setStatus(await appAfter(), status)).status).toBe(422);
  });
});

describe('deleting anybody’s app', () => {
  it('needs its id once more, and force where users may have it', async () => {
    const appId = await inStatus.active();
    await expectUnchanged(gateway, appId, async () => {
      expect(await deleteApp(appId, { confirm_name: 'another', force: true })).toMatchObject({
        status: 400,
        body: { code: 'app.not_confirmed' },
      });
      expect(await deleteApp(appId, { confirm_name: appId })).toMatchObject({
        status: 409,
        body: { code: 'app.wrong_status', status: 'active' },
      });
      expect((await deleteApp(appId, { confirm_name: appId, force: 'yes' })).status).toBe(422);
    });
    const before = await syncs(appId);
    const answer = await deleteApp(appId, { confirm_name: appId, force: true });
    expect(answer).toMatchObject({ status: 200, body: { app_id: appId, status: 'deleted', installs_purged: 0 } });
    expect(await gateway.service.query('SELECT 1 FROM apps WHERE app_id = $1', [appId])).toEqual([]);
    expect(await syncs(appId)).toBe(before + 1);
    const draft = await inStatus.draft();
    expect((await deleteApp(draft, { confirm_name: draft })).status).toBe(200);
  });
});

describe('the installs of an app', () => {
  afterEach(() => gateway.service.app.get(AppDeletionsService).setInstallPurge(() => Promise.resolve(0)));

  it('go with it, in the same transaction, and are counted', async () => {
    const seen: unknown[] = [];
    gateway.service.app.get(AppDeletionsService).setInstallPurge(async (em, appId) => {
      seen.push(
        await em.query('SELECT status FROM apps WHERE app_id = $1', [appId]),
        em.queryRunner?.isTransactionActive,
      );
      return 3;
    });
    const appId = await inStatus.suspended();
    expect((await deleteApp(appId, { confirm_name: appId })).body).toMatchObject({ installs_purged: 3 });
    expect(seen).toEqual([[{ status: 'suspended' }], true]);
    expect((await auditEntriesOf(gateway, appId)).at(-1)).toMatchObject({ metadata: { installs_purged: 3 } });
  });

  it('stay when they cannot be removed, and the app with them', async () => {
    gateway.service.app.get(AppDeletionsService).setInstallPurge(() => Promise.reject(new Error('cannot')));
    const appId = await inStatus.draft();
    await expectUnchanged(gateway, appId, async () =>
      expect((await deleteApp(appId, { confirm_name: appId })).status).toBe(500),
    );
  });
});

describe('whoever runs the platform', () => {
  const calls = (appId: string, client: TestClient) => [
    approve(appId, client),
    reject(appId, 'No.', client),
    setStatus(appId, 'active', client),
    deleteApp(appId, { confirm_name: appId, force: true }, client),
  ];

  it('is nobody else: not the developer, not an administrator of another tenant, not who acts for one', async () => {
    const { id: tenant_id } = await createTenant(admin);
    const other = await gateway.user({ role: 'admin', tenant_id });
    const appId = await inStatus.pending_review();
    const strangers = [
      await gateway.signIn(developer.user),
      developer.client,
      await gateway.signIn(other),
      gateway.actingFor(other.id),
    ];
    await expectUnchanged(gateway, appId, async () => {
      for (const client of strangers) {
        for (const answer of await Promise.all([...calls(appId, client), client.get('/v1/admin/apps/pending')])) {
          expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
        }
      }
      for (const answer of await Promise.all(calls(appId, gateway.client()))) expect(answer.status).toBe(401);
    });
  });

  it('finds no app that is not there, and decides nothing about those of the platform', async () => {
    await gateway.service.query(
      "INSERT INTO apps (app_id, display_name, system, status) VALUES ('of-platform', 'Part', true, 'active')",
    );
    await expectUnchanged(gateway, 'of-platform', async () => {
      for (const answer of await Promise.all(calls('of-platform', admin))) {
        expect(answer).toMatchObject({ status: 403, body: { code: 'app.system' } });
      }
    });
    for (const answer of await Promise.all(calls('no-such-app', admin))) {
      expect(answer).toMatchObject({ status: 404, body: { code: 'app.not_found' } });
    }
  });
});
