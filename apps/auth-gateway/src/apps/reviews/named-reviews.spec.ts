import { createHash } from 'node:crypto';
import type { AppDetailResponse, PendingAppResponse, PendingContentResponse } from '@platform/contracts';
import { DeployTest, documentOf, type TestDeveloper } from '../../testing/deploy-test.js';

let test: DeployTest;
let ada: TestDeveloper;
beforeAll(async () => {
  test = await DeployTest.start();
  ada = await test.developer();
});
afterAll(() => test.stop());

const CHANGED = { status: 409, body: { code: 'app.review_changed' } };
const MISSING = { status: 409, body: { code: 'app.review_content_missing' } };
const RESTORED = { status: 200, body: { status: 'active' } };

const admin = () => test.gateway.backend();
const decide = (appId: string, decision: 'approve' | 'reject' | 'status', body: object = {}) =>
  admin().post(`/v1/admin/apps/${appId}/${decision}`, body);
const own = (appId: string, step: 'submit' | 'suspend') => ada.client.post(`/v1/developer/apps/${appId}/${step}`, {});
const rename = (appId: string, name: string) => ada.client.put(`/v1/developer/apps/${appId}`, { display_name: name });
const remove = (appId: string) => ada.client.request('DELETE', `/v1/developer/apps/${appId}`, { confirm_name: appId });
const create = (appId: string) => ada.client.post('/v1/developer/apps', { app_id: appId, name: 'Notes' });
const deploy = (appId: string, version = '1.0.0', greeting = 'Hello') =>
  test.deployAndWait(ada, appId, { ir_dict: documentOf(appId, version, greeting) });
const shown = async (appId: string) => (await ada.client.get<AppDetailResponse>(`/v1/developer/apps/${appId}`)).body;

/** The pending app that an administrator sees. */
async function look(appId: string): Promise<{ version: string; sha256: string }> {
  const { body } = await admin().get<PendingAppResponse[]>('/v1/admin/apps/pending?limit=500');
  const found = body.find(({ app_id }) => app_id === appId);
  if (!found) throw new Error(`${appId} does not wait`);
  return { version: found.submitted_version, sha256: found.sha256 };
}

async function submitted(): Promise<string> {
  const appId = await test.app(ada);
  await deploy(appId);
  expect((await own(appId, 'submit')).status).toBe(200);
  return appId;
}

async function published(): Promise<string> {
  const appId = await submitted();
  expect(await decide(appId, 'approve', await look(appId))).toMatchObject(RESTORED);
  return appId;
}

/** Deletes the app and creates another one with the same id. */
async function anew(appId: string, greeting: string): Promise<void> {
  expect((await remove(appId)).status).toBe(200);
  expect((await create(appId)).status).toBe(201);
  await deploy(appId, '1.0.0', greeting);
  expect((await own(appId, 'submit')).status).toBe(200);
}

/**
 * Decisions about the earlier content are refused; a decision about the current content is
 * accepted.
 */
async function expectNewLook(appId: string, before: { version: string; sha256: string }): Promise<void> {
  for (const decision of ['approve', 'reject'] as const) {
    const reason = decision === 'reject' ? { reason: 'No.' } : {};
    expect(await decide(appId, decision, { ...reason, ...before })).toMatchObject(CHANGED);
    expect(await decide(appId, decision, reason)).toMatchObject(MISSING);
    expect(await decide(appId, decision, { ...reason, version: '1.0.0' })).toMatchObject(MISSING);
  }
  expect(await decide(appId, 'status', { status: 'active' })).toMatchObject(MISSING);
  expect(await decide(appId, 'status', { status: 'active', ...before })).toMatchObject(CHANGED);
  expect((await shown(appId)).status).toBe('pending_review');
  expect(await decide(appId, 'approve', await look(appId))).toMatchObject(RESTORED);
}

describe('an approval', () => {
  it('needs to name nothing while nothing else was in review: as the interface shows it, also of what is submitted again', async () => {
    const appId = await submitted();
    for (const step of ['suspend', 'submit'] as const) expect((await own(appId, step)).status).toBe(200);
    expect(await decide(appId, 'approve')).toMatchObject({
      status: 200,
      body: { app_id: appId, status: 'active', version: '1.0.0' },
    });
  });

  it('is of no app that was deleted and made again under the same id and version', async () => {
    const appId = await submitted();
    const before = await look(appId);
    expect((await own(appId, 'suspend')).status).toBe(200);
    await anew(appId, 'Goodbye');
    await expectNewLook(appId, before);
  });

  it('is of nothing that came into its place after a rejection', async () => {
    const appId = await submitted();
    const before = await look(appId);
    expect((await decide(appId, 'reject', { reason: 'No.', ...before })).status).toBe(200);
    await deploy(appId, '1.0.0', 'Goodbye');
    expect((await own(appId, 'submit')).status).toBe(200);
    await expectNewLook(appId, before);
    // After a rollback to the rejected content, an approval still needs the version and the hash.
    await own(appId, 'suspend');
    await decide(appId, 'status', { status: 'draft' });
    await deploy(appId);
    await own(appId, 'submit');
    expect((await look(appId)).sha256).toBe(before.sha256);
    expect(await decide(appId, 'approve')).toMatchObject(MISSING);
  });

  it('is of the name and the icon, too', async () => {
    const renamed = await submitted();
    const before = await look(renamed);
    await own(renamed, 'suspend');
    expect((await rename(renamed, 'Bank')).status).toBe(200);
    await own(renamed, 'submit');
    await expectNewLook(renamed, before);

    const appId = await submitted();
    const first = await look(appId);
    const icon = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4"/></svg>';
    await test.deployAndWait(ada, appId, { ir_dict: { ...documentOf(appId, '2.0.0'), icon } });
    expect(await decide(appId, 'approve', first)).toMatchObject(CHANGED);
    expect(await decide(appId, 'approve')).toMatchObject(MISSING);
  });

  it('is of the prices, too: users who have the app for nothing pay nothing until they agree', async () => {
    const appId = await submitted();
    const before = await look(appId);
    expect(await decide(appId, 'approve', before)).toMatchObject(RESTORED);
    const user = await test.gateway.user();
    const client = test.gateway.actingFor(user.id);
    const install = (shown: object = {}) => client.post(`/v1/marketplace/apps/${appId}/install`, shown);
    const call = () =>
      client.post(`/v1/extensions/${appId}/call`, { user_id: user.id, function: 'greet', params: { name: 'Bob' } });
    expect((await install()).status).toBe(200);

    await own(appId, 'suspend');
    const prices = { pricing_model: 'per_action', pricing_config: { tool_prices: { greet: 10_000_000 } } };
    expect((await ada.client.put(`/v1/developer/apps/${appId}`, prices)).status).toBe(200);
    // Neither the reviewed content nor the earlier content becomes active without a new review.
    expect(await decide(appId, 'status', { status: 'active' })).toMatchObject(MISSING);
    await own(appId, 'submit');
    const { body: pending } = await admin().get<PendingAppResponse[]>('/v1/admin/apps/pending?limit=500');
    const shownPrices = { ...prices, revenue_split_dev: 70 };
    expect(pending.find(({ app_id }) => app_id === appId)).toMatchObject(shownPrices);
    expect(await admin().get(`/v1/admin/apps/${appId}/pending`)).toMatchObject({ status: 200, body: shownPrices });
    await expectNewLook(appId, before);

    expect(await call()).toMatchObject({
      status: 409,
      body: { code: 'extension.price_not_agreed', price: 10_000_000, agreed_price: 0 },
    });
    // Installs with a version and scopes but without a price, so the user does not agree to the
    // price.
    expect(await install({ version: '1.0.0', scopes: [] })).toMatchObject({
      status: 200,
      body: { price_version: null },
    });
    expect(await call()).toMatchObject({ status: 409, body: { price_version: 1 } });
    expect((await install({ price_version: 1 })).status).toBe(200);
    expect(await call()).toMatchObject({ status: 402 });
  });

  it('is of the share of the developer, too', async () => {
    const appId = await submitted();
    const before = await look(appId);
    await own(appId, 'suspend');
    expect((await ada.client.put(`/v1/developer/apps/${appId}`, { revenue_split_dev: 60 })).status).toBe(200);
    await own(appId, 'submit');
    await expectNewLook(appId, before);
  });

  it('of a version that waits is of no other app of the id', async () => {
    const more = { capabilities: ['notes:read'] };
    const appId = await published();
    await test.deployAndWait(ada, appId, { ir_dict: { ...documentOf(appId, '1.1.0'), ...more } });
    const before = await look(appId);
    await own(appId, 'suspend');
    await anew(appId, 'Hello');
    expect(await decide(appId, 'approve')).toMatchObject(MISSING);
    expect(await decide(appId, 'approve', await look(appId))).toMatchObject(RESTORED);
    const other = { ...documentOf(appId, '1.1.0', 'Goodbye'), ...more };
    expect(await test.deployAndWait(ada, appId, { ir_dict: other })).toMatchObject({ status: 'waiting' });
    expect(await decide(appId, 'approve', before)).toMatchObject(CHANGED);
    expect(await test.servedVersions(appId)).toEqual({ gateway: '1.0.0', registry: '1.0.0' });
    expect(await decide(appId, 'approve', await look(appId))).toMatchObject({
      status: 200,
      body: { version: '1.1.0' },
    });
  });

  it('and a submission of something else leave nothing published that was not looked at, whichever come first', async () => {
    const appId = await submitted();
    const before = await look(appId);
    await own(appId, 'suspend');
    await rename(appId, 'Bank');
    const answers = await Promise.all([
      own(appId, 'submit'),
      ...Array.from({ length: 10 }, () => decide(appId, 'approve', before)),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, ...Array<number>(10).fill(409)]);
    expect(await shown(appId)).toMatchObject({ status: 'pending_review', published_at: null });
  });
});

describe('what the platform stopped', () => {
  it('is not deleted by its developer, and keeps being stopped under its id when the platform has deleted it', async () => {
    const appId = await published();
    expect((await decide(appId, 'status', { status: 'suspended' })).status).toBe(200);
    expect(await remove(appId)).toMatchObject({ status: 409, body: { code: 'app.stopped_by_platform' } });
    expect((await own(appId, 'submit')).status).toBe(200);
    expect((await decide(appId, 'reject', { reason: 'No.' })).status).toBe(200);
    expect(await remove(appId)).toMatchObject({ status: 409, body: { code: 'app.stopped_by_platform' } });

    expect((await admin().request('DELETE', `/v1/admin/apps/${appId}`, { confirm_name: appId })).status).toBe(200);
    expect((await create(appId)).status).toBe(201);
    await deploy(appId);
    expect(await shown(appId)).toMatchObject({
      status: 'draft',
      stopped_reason: expect.stringContaining('operator of the platform'),
    });
    expect(await remove(appId)).toMatchObject({ status: 409, body: { code: 'app.stopped_by_platform' } });
    await own(appId, 'submit');
    expect(await decide(appId, 'approve')).toMatchObject(MISSING);
    expect(await decide(appId, 'approve', await look(appId))).toMatchObject(RESTORED);
    expect((await shown(appId)).stopped_reason).toBeNull();
    // After the approval the developer can delete the app and create it again; the new app is not
    // stopped.
    await own(appId, 'suspend');
    await anew(appId, 'Hello');
    expect((await shown(appId)).stopped_reason).toBeNull();
  });

  it('comes back by itself as what it was, and as anything else only when that is named', async () => {
    const appId = await published();
    const suspend = () => decide(appId, 'status', { status: 'suspended' });
    const restore = (named: object = {}) => decide(appId, 'status', { status: 'active', ...named });
    await suspend();
    expect(await restore()).toMatchObject(RESTORED);

    await suspend();
    await deploy(appId, '2.0.0', 'Goodbye');
    const answer = await restore();
    expect(answer).toMatchObject({
      ...MISSING,
      body: { ...MISSING.body, version: '2.0.0', sha256: expect.any(String) },
    });
    const { version, sha256 } = answer.body as { version: string; sha256: string };
    expect(await restore({ version: '1.0.0', sha256 })).toMatchObject(CHANGED);
    expect(await restore({ version, sha256: '0'.repeat(64) })).toMatchObject(CHANGED);
    expect((await shown(appId)).status).toBe('suspended');
    expect((await test.deployAndWait(ada, appId, { version: '1.0.0' })).status).toBe('success');
    expect(await restore({ version, sha256 })).toMatchObject(CHANGED);
    expect(await restore()).toMatchObject(RESTORED);
    expect(await test.servedVersions(appId)).toMatchObject({ gateway: '1.0.0' });

    await suspend();
    await rename(appId, 'Bank');
    expect(await restore()).toMatchObject(MISSING);
    await rename(appId, 'Notes');
    await deploy(appId, '2.0.0', 'Goodbye');
    expect(await restore({ version, sha256 })).toMatchObject(RESTORED);
    expect(await shown(appId)).toMatchObject({ status: 'active', version: '2.0.0' });
  });

  it('is no draft that comes back as another app of its id', async () => {
    const appId = await published();
    await own(appId, 'suspend');
    expect((await remove(appId)).status).toBe(200);
    expect((await create(appId)).status).toBe(201);
    await deploy(appId, '1.0.0', 'Goodbye');
    expect(await decide(appId, 'status', { status: 'active' })).toMatchObject(MISSING);
  });
});

describe('what waits', () => {
  const content = (appId: string, query = '', client = admin()) =>
    client.get<PendingContentResponse>(`/v1/admin/apps/${appId}/pending${query}`);

  it('is shown with its document and its code, as the list names it', async () => {
    const appId = await test.app(ada);
    const source = 'export const greet = () => ({ text: "Hé" });';
    await test.deployAndWait(ada, appId, { ir_dict: { ...documentOf(appId, '1.0.0'), modules: { main: { source } } } });
    expect((await own(appId, 'submit')).status).toBe(200);
    const { version, sha256 } = await look(appId);
    const { status, body } = await content(appId, `?version=${version}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      app_id: appId,
      submitted_version: version,
      sha256,
      served_version: null,
      manifest: null,
    });
    expect(body).toMatchObject({ requested_scopes: [], hosts: expect.any(Array), capabilities: expect.any(Array) });
    expect(body.document).toMatchObject({
      app: { id: appId, functions: [{ name: 'greet', action_type: 'read' }], modules: { main: { source } } },
    });
    const hash = createHash('sha256').update(source).digest('hex');
    expect(body.modules).toEqual([{ name: 'main', bytes: Buffer.byteLength(source), sha256: hash }]);
  });

  it('of an app in the marketplace is the version that waits, beside the one that is served', async () => {
    const appId = await published();
    const asking = { ...documentOf(appId, '1.1.0'), name: 'Other notes' };
    expect((await test.deployAndWait(ada, appId, { ir_dict: asking })).status).toBe('waiting');
    const { status, body } = await content(appId);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { submitted_version: '1.1.0', served_version: '1.0.0' },
    });
    expect(body.waits_for).toMatchObject({ name: 'Other notes' });
    expect(body.document).toMatchObject({ app: { version: '1.1.0', title: 'Other notes' } });
  });

  it('is nothing of a draft, of what is decided, and of another version', async () => {
    const nothing = { status: 404, body: { code: 'app.nothing_waits' } };
    const draft = await test.app(ada);
    await deploy(draft);
    const [waits, decided] = [await submitted(), await published()];
    for (const appId of [draft, decided, 'no-such-app']) expect(await content(appId)).toMatchObject(nothing);
    expect(await content(waits, '?version=1.0.1')).toMatchObject(nothing);
  });

  it('is shown to administrators of the platform alone', async () => {
    const appId = await submitted();
    expect((await content(appId, '', ada.client)).status).toBe(403);
  });
});
