import type { AppDetailResponse, AppResponse, KeyResponse } from '@platform/contracts';
import { HeldLock, type TestClient } from '@platform/testing';
import { newAppId } from '../../testing/apps.js';
import {
  createDraftApp,
  storeDeployedVersion,
  expectUnchanged,
  auditEntriesOf,
  newDeveloper,
  type TestDeveloper,
} from '../../testing/developers.js';
import { GatewayTest } from '../../testing/gateway-test.js';
import { EnqueuedJobs } from '../../testing/enqueued-jobs.js';
import { createTenant } from '../../testing/tenants.js';

let gateway: GatewayTest;
let jobs: EnqueuedJobs;
let developer: TestDeveloper;
beforeAll(async () => {
  gateway = await GatewayTest.start({ DEVELOPER_TIER_LIMITS: 'standard' });
  jobs = await EnqueuedJobs.watch(gateway.service);
  developer = await newDeveloper(gateway);
});
afterAll(() => gateway.stop());

const APPS = '/v1/developer/apps';
const SAMPLE = { name: 'Invoices', short_description: 'Makes invoices', category: 'finance' };
const create = (changes: object = {}, client = developer.client) =>
  client.post<AppResponse>(APPS, { app_id: newAppId(), ...SAMPLE, ...changes });
const update = (appId: string, body: object, client = developer.client) =>
  client.put<AppResponse>(`${APPS}/${appId}`, body);
const remove = (appId: string, body: unknown = { confirm_name: appId }, client = developer.client) =>
  client.request<{ code: string }>('DELETE', `${APPS}/${appId}`, body);
const syncs = (appId: string) => jobs.count('app-sync', { app_id: appId });
const setStatus = (appId: string, status: string) =>
  gateway.service.query(
    'UPDATE apps SET status = $2, submitted_at = now(), submitted_version = served_version WHERE app_id = $1',
    [appId, status],
  );

/** A developer of the same tenant and one of another tenant; neither must see the app. */
async function strangers(): Promise<TestClient[]> {
  const { id: tenant_id } = await createTenant(gateway.backend());
  return [(await newDeveloper(gateway)).client, (await newDeveloper(gateway, 'partner', { tenant_id })).client];
}

describe('creating an app', () => {
  it('works as the interface shows it, and makes a draft', async () => {
    const { user, client } = await newDeveloper(gateway, 'explorer');
    const session = await gateway.signIn(user);
    const app_id = newAppId();
    const { status, body } = await create({ app_id }, session);
    expect(status).toBe(201);
    expect(body).toEqual({
      app_id,
      ...SAMPLE,
      display_name: 'Invoices',
      developer_id: user.id,
      status: 'draft',
      description: '',
      long_description: '',
      tags: [],
      icon: null,
      git_url: null,
      homepage: null,
      license: null,
      pricing_model: 'free',
      pricing_config: null,
      revenue_split_dev: 70,
      version: null,
      reject_reason: null,
      submitted_at: null,
      submitted_version: null,
      published_at: null,
      created_at: expect.any(String),
      updated_at: body.created_at,
    });
    expect(await client.get(`${APPS}/${app_id}`)).toMatchObject({
      status: 200,
      body: Object.assign({ tools_json: [], manifest_json: null }, body),
    });
    expect(await auditEntriesOf(gateway, app_id)).toMatchObject([
      {
        action: 'app.created',
        actor_id: user.id,
        tenant_id: 'default',
        before_state: null,
        after_state: { display_name: 'Invoices', status: 'draft', revenue_split_dev: 70 },
      },
    ]);
  });

  it('works as older clients do it', async () => {
    const app_id = newAppId();
    const request = { app_id, display_name: 'Invoices', git_url: 'https://git.example.com/ada/invoices.git' };
    const { status, body } = await developer.client.post(APPS, request);
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { ...request, name: 'Invoices', category: 'general', short_description: '' },
    });
  });

  it('keeps everything that is given', async () => {
    const given = {
      description: 'Makes invoices.\n\n\tAnd reminders.',
      long_description: 'x'.repeat(10_000),
      tags: ['invoices', 'pdf'],
      icon: '\u{1f9fe}',
      git_url: 'git@git.example.com:ada/invoices.git',
      pricing_model: 'per_action',
      pricing_config: {
        tool_prices: { create_invoice: 20, free_one: 0 },
        monthly_price: 10_000_000,
        note: { any: ['thing'] },
      },
    };
    expect(await create(given)).toMatchObject({ status: 201, body: { ...given, revenue_split_dev: 95 } });
  });

  it('says which key of the prices was meant', async () => {
    const msg = 'This key is not known. Did you mean "monthly_price"?';
    const detail = [{ loc: ['body', 'pricing_config', 'monthly_prices'], msg }];
    expect(await create({ pricing_config: { monthly_prices: 5, monthly_price_note: 'By hand.' } })).toMatchObject({
      status: 422,
      body: { detail },
    });
  });

  it('takes the display_name where both names are given', async () => {
    expect((await create({ name: 'One', display_name: 'Other' })).body).toMatchObject({
      name: 'Other',
      display_name: 'Other',
    });
  });

  it('is refused to who is no developer', async () => {
    const client = gateway.actingFor((await gateway.user()).id);
    expect(await create({}, client)).toMatchObject({ status: 403, body: { code: 'developer.not_registered' } });
    expect(await client.get(APPS)).toMatchObject({ status: 403, body: { code: 'developer.not_registered' } });
  });

  it('refuses an id that is taken, also by another developer, and one of the platform', async () => {
    const { app_id } = await createDraftApp(developer);
    for (const client of [developer.client, ...(await strangers())]) {
      expect(await create({ app_id }, client)).toMatchObject({
        status: 409,
        body: { code: 'app.id_taken', detail: expect.stringContaining('already in use') },
      });
    }
    for (const reserved of ['developer', 'automations', 'billing', 'marketplace', 'payout', 'stream']) {
      expect(await create({ app_id: reserved })).toMatchObject({ status: 400, body: { code: 'app.id_reserved' } });
    }
  });

  it('succeeds for one of 50 who want the same id at once', async () => {
    const others = await strangers();
    const clients = Array.from({ length: 50 }, (_client, at) => [developer.client, ...others][at % 3] as TestClient);
    const app_id = newAppId();
    const answers = await Promise.all(clients.map((client) => create({ app_id }, client)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(49);
    expect(await auditEntriesOf(gateway, app_id)).toHaveLength(1);
  });

  it('tells the second of two requests for the only app of a developer that it exists', async () => {
    const { client } = await newDeveloper(gateway, 'explorer');
    const app_id = newAppId();
    const answers = await Promise.all([create({ app_id }, client), create({ app_id }, client)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  it.each([
    ['explorer', 1],
    ['indie', 3],
    ['studio', 10],
  ] as const)('makes no more apps for the tier %s than %i, also of 50 at once', async (tier, most) => {
    const { client } = await newDeveloper(gateway, tier);
    const answers = await Promise.all(Array.from({ length: 50 }, () => create({}, client)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(most);
    const refused = answers.filter(({ status }) => status !== 201);
    for (const answer of refused) expect(answer).toMatchObject({ status: 403, body: { code: 'app.too_many' } });
    expect((await client.get<AppResponse[]>(APPS)).body).toHaveLength(most);
  });

  it.each([
    ['no id', { app_id: undefined }, ['app_id'], 'missing'],
    ['an id of one character', { app_id: 'a' }, ['app_id'], 'string_pattern_mismatch'],
    ['an id of 65 characters', { app_id: 'a'.repeat(65) }, ['app_id'], 'string_pattern_mismatch'],
    ['an id with capitals', { app_id: 'Invoices' }, ['app_id'], 'string_pattern_mismatch'],
    ['an id with an underscore', { app_id: 'my_app' }, ['app_id'], 'string_pattern_mismatch'],
    ['an id with a hyphen at its end', { app_id: 'app-' }, ['app_id'], 'string_pattern_mismatch'],
    ['no name', { name: undefined }, ['name'], 'missing'],
    ['a blank name', { name: '  ' }, ['name'], 'string_too_short'],
    ['a name of two lines', { name: 'In\nvoices' }, ['name'], 'value_error'],
    ['a name that is written backwards', { name: 'Invoices \u202efdp' }, ['name'], 'value_error'],
    ['a name of 201 characters', { name: 'x'.repeat(201) }, ['name'], 'string_too_long'],
    [
      'a short description of 201 characters',
      { short_description: 'x'.repeat(201) },
      ['short_description'],
      'string_too_long',
    ],
    ['a description of 2001 characters', { description: 'x'.repeat(2_001) }, ['description'], 'string_too_long'],
    ['a description with an escape character', { description: '\u001b[31m' }, ['description'], 'value_error'],
    ['a category of 51 characters', { category: 'x'.repeat(51) }, ['category'], 'string_too_long'],
    ['an icon that is a script', { icon: 'javascript:alert(1)' }, ['icon'], 'value_error'],
    ['an icon that is a data URL', { icon: 'data:image/svg+xml,<svg/>' }, ['icon'], 'value_error'],
    ['an icon that is markup', { icon: '<svg/onload=alert(1)>' }, ['icon'], 'value_error'],
    ['a git URL by http', { git_url: 'http://git.example.com/a.git' }, ['git_url'], 'value_error'],
    ['a git URL with a password', { git_url: 'https://ada:secret@git.example.com/a.git' }, ['git_url'], 'value_error'],
    ['a git URL that is an option', { git_url: 'ssh://-oProxyCommand=x/a.git' }, ['git_url'], 'value_error'],
    ['a file as git URL', { git_url: 'file:///etc/passwd' }, ['git_url'], 'value_error'],
    ['an unknown pricing model', { pricing_model: 'gift' }, ['pricing_model'], 'literal_error'],
    ['prices as a list', { pricing_config: [] }, ['pricing_config'], 'dict_type'],
    [
      'a price below zero',
      { pricing_config: { tool_prices: { a: -1 } } },
      ['pricing_config', 'tool_prices', 'a'],
      'greater_than_equal',
    ],
    [
      'half a credit',
      { pricing_config: { tool_prices: { a: 0.5 } } },
      ['pricing_config', 'tool_prices', 'a'],
      'int_type',
    ],
    ['a price as text', { pricing_config: { monthly_price: '5' } }, ['pricing_config', 'monthly_price'], 'int_type'],
    [
      'too high a price',
      { pricing_config: { monthly_price: 10_000_001 } },
      ['pricing_config', 'monthly_price'],
      'less_than_equal',
    ],
    ['prices of more than 16 KiB', { pricing_config: { note: 'x'.repeat(17_000) } }, ['pricing_config'], 'value_error'],
    [
      'a mistyped key',
      { pricing_config: { tool_price: { a: 1 } } },
      ['pricing_config', 'tool_price'],
      'extra_forbidden',
    ],
    [
      'another mistyped key',
      { pricing_config: { monthlyPrice: 5 } },
      ['pricing_config', 'monthlyPrice'],
      'extra_forbidden',
    ],
    ['a tag with a space', { tags: ['my tag'] }, ['tags'], 'string_pattern_mismatch'],
    ['11 tags', { tags: Array.from({ length: 11 }, (_tag, at) => `tag-${at}`) }, ['tags'], 'too_long'],
    ['a share of its own', { revenue_split_dev: 95 }, ['revenue_split_dev'], 'extra_forbidden'],
    ['a status of its own', { status: 'active' }, ['status'], 'extra_forbidden'],
  ])('is refused with %s', async (_what, changes, loc, type) => {
    const answer = await create(changes);
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', ...loc], type }] } });
  });
});

describe('reading apps', () => {
  it('is in pages, the newest first, and shows nobody else’s', async () => {
    const { client, user } = await newDeveloper(gateway);
    const ids = [];
    for (let at = 0; at < 3; at++) ids.unshift((await createDraftApp({ client, user })).app_id);
    const listed = async (query = '', by = client) =>
      (await by.get<AppResponse[]>(`${APPS}${query}`)).body.map(({ app_id }) => app_id);
    expect(await listed()).toEqual(ids);
    expect([await listed('?limit=2'), await listed('?limit=2&offset=2')]).toEqual([ids.slice(0, 2), ids.slice(2)]);
    for (const stranger of await strangers()) expect(await listed('', stranger)).toEqual([]);
    expect((await client.get(`${APPS}?limit=0`)).status).toBe(422);
  });

  it('is possible with an API key, and for a trusted backend that acts for the developer', async () => {
    const { app_id } = await createDraftApp(developer);
    const session = await gateway.signIn(developer.user);
    const { key } = (await session.post<KeyResponse>('/v1/keys', { name: 'pipeline' })).body;
    const client = gateway.client();
    for (const by of [client.withHeaders({ 'x-api-key': key }), client.withToken(key), session, developer.client]) {
      expect((await by.get(`${APPS}/${app_id}`)).status).toBe(200);
    }
    expect((await gateway.backend().get(`${APPS}/${app_id}?user_id=${developer.user.id}`)).status).toBe(200);
    expect((await create({ user_id: developer.user.id }, gateway.backend())).status).toBe(201);
    expect((await client.get(`${APPS}/${app_id}`)).status).toBe(401);
    expect((await gateway.backend().get(`${APPS}/${app_id}`)).status).toBe(422);
  });

  it('shows the functions of the version that runs, in both spellings', async () => {
    const { app_id } = await createDraftApp(developer);
    await storeDeployedVersion(gateway, app_id, '1.0.0');
    const { body } = await developer.client.get<AppDetailResponse>(`${APPS}/${app_id}`);
    expect(body).toMatchObject({
      version: '1.0.0',
      tools_json: [{ name: 'create_invoice', action_type: 'write' }],
      manifest_json: { version: '1.0.0', tools: [{ name: 'create_invoice', action_type: 'write' }] },
    });
  });

  it('finds nothing of somebody else, whatever is asked for', async () => {
    const { app_id } = await createDraftApp(developer);
    await expectUnchanged(gateway, app_id, async () => {
      const unknown = await developer.client.get<object>(`${APPS}/no-such-app`);
      expect(unknown).toMatchObject({ status: 404, body: { code: 'app.not_found' } });
      for (const client of [...(await strangers()), gateway.actingFor((await gateway.user()).id)]) {
        const answers = [
          await client.get(`${APPS}/${app_id}`),
          await update(app_id, { name: 'Mine' }, client),
          await remove(app_id, { confirm_name: app_id }, client),
          await client.post(`${APPS}/${app_id}/submit`, {}),
          await client.post(`${APPS}/${app_id}/suspend`, {}),
          await client.get(`${APPS}/${app_id}/analytics`),
        ];
        for (const { status, body } of answers) {
          expect({ status, body }).toEqual({ status: 404, body: { ...unknown.body, request_id: expect.any(String) } });
        }
      }
    });
  });
});

describe('changing an app', () => {
  it('writes what is given, keeps the rest, and has the Registry told', async () => {
    const { app_id, ...before } = await createDraftApp(developer, { description: 'Before', tags: ['old'] });
    const changes = {
      name: 'Reminders',
      description: 'After',
      category: null,
      tags: [],
      icon: 'https://cdn.example.com/i.svg',
      pricing_config: { monthly_price: 5 },
    };
    const { status, body } = await update(app_id, changes);
    expect(status).toBe(200);
    const { category: _, ...given } = changes;
    expect(body).toEqual({ app_id, ...before, ...given, display_name: 'Reminders', updated_at: expect.any(String) });
    expect(body.updated_at > before.updated_at).toBe(true);
    expect((await developer.client.get(`${APPS}/${app_id}`)).body).toMatchObject(body);
    expect(await syncs(app_id)).toBe(1);
    const [, updated] = await auditEntriesOf(gateway, app_id);
    expect(updated).toMatchObject({
      action: 'app.updated',
      actor_id: 'test',
      before_state: { display_name: 'Invoices', tags: ['old'], icon: null, pricing_config: null },
      after_state: { display_name: 'Reminders', tags: [], pricing_config: { monthly_price: 5 } },
    });
  });

  it('writes nothing when nothing is another than it was', async () => {
    const { app_id } = await createDraftApp(developer, { pricing_config: { tool_prices: { a: 1, b: 2 } } });
    await expectUnchanged(gateway, app_id, async () => {
      for (const body of [{}, { name: null }, { ...SAMPLE }, { pricing_config: { tool_prices: { b: 2, a: 1 } } }]) {
        expect((await update(app_id, body)).status).toBe(200);
      }
    });
    expect(await syncs(app_id)).toBe(0);
  });

  it('takes away by null what an app can be without, and nothing else', async () => {
    const all = {
      icon: 'https://cdn.example.com/i.svg',
      git_url: 'https://git.example.com/a.git',
      homepage: 'https://example.com/a',
      license: 'MIT',
      pricing_config: { monthly_price: 5 },
    };
    const { app_id, ...before } = await createDraftApp(developer, { ...all, description: 'Before', tags: ['old'] });
    expect(before).toMatchObject(all);
    const kept = {
      description: null,
      tags: null,
      category: null,
      short_description: null,
      long_description: null,
      pricing_model: null,
    };
    const cleared = { icon: null, git_url: null, homepage: null, license: null, pricing_config: null };
    const { body } = await update(app_id, { ...kept, ...cleared, revenue_split_dev: null });
    expect(body).toEqual({ app_id, ...before, ...cleared, updated_at: expect.any(String) });
    expect((await developer.client.get(`${APPS}/${app_id}`)).body).toMatchObject(cleared);
    await expectUnchanged(gateway, app_id, async () => {
      expect((await update(app_id, cleared)).status).toBe(200);
    });
  });

  it('leaves prices, shares and the name alone while the app is in review or active', async () => {
    const { app_id } = await createDraftApp(developer);
    await storeDeployedVersion(gateway, app_id);
    for (const status of ['pending_review', 'active']) {
      await setStatus(app_id, status);
      await expectUnchanged(gateway, app_id, async () => {
        for (const body of [
          { pricing_model: 'subscription' },
          { pricing_config: { monthly_price: 5 } },
          { revenue_split_dev: 60, name: 'New' },
        ]) {
          expect(await update(app_id, body)).toMatchObject({ status: 409, body: { code: 'app.pricing_fixed' } });
        }
        expect(await update(app_id, { name: 'New' })).toMatchObject({ status: 409, body: { code: 'app.name_fixed' } });
      });
      expect((await update(app_id, { description: `As it is while ${status}`, pricing_model: 'free' })).status).toBe(
        200,
      );
    }
    await setStatus(app_id, 'suspended');
    expect((await update(app_id, { pricing_model: 'subscription' })).body.pricing_model).toBe('subscription');
  });

  it('changes no price once the app has been submitted, though both are asked for at once', async () => {
    const { app_id } = await createDraftApp(developer);
    await storeDeployedVersion(gateway, app_id);
    const submitted = await HeldLock.acquire(
      gateway.service,
      "UPDATE apps SET status = 'pending_review', submitted_at = now(), submitted_version = served_version WHERE app_id = $1",
      [app_id],
    );
    const updating = update(app_id, { pricing_config: { monthly_price: 5 } });
    await submitted.waitForBlocked(1);
    await submitted.release();
    expect(await updating).toMatchObject({ status: 409, body: { code: 'app.pricing_fixed' } });
  });

  it('gives the developer at most the share of their tier, or what the app has from a higher one', async () => {
    const indie = await newDeveloper(gateway, 'indie');
    const { app_id } = await createDraftApp(indie);
    expect((await update(app_id, { revenue_split_dev: 50 }, indie.client)).body.revenue_split_dev).toBe(50);
    expect((await update(app_id, { revenue_split_dev: 80 }, indie.client)).body.revenue_split_dev).toBe(80);
    expect(await update(app_id, { revenue_split_dev: 81 }, indie.client)).toMatchObject({
      status: 400,
      body: { code: 'app.split_too_high', maximum: 80 },
    });
    await indie.client.put('/v1/developer/tier', { tier: 'explorer' });
    expect((await update(app_id, { name: 'Still 80' }, indie.client)).body.revenue_split_dev).toBe(80);
    expect((await update(app_id, { revenue_split_dev: 70 }, indie.client)).status).toBe(200);
    expect((await update(app_id, { revenue_split_dev: 75 }, indie.client)).status).toBe(400);
  });

  it.each([
    ['a blank name', { name: '' }, ['name'], 'string_too_short'],
    ['a share of 49 percent', { revenue_split_dev: 49 }, ['revenue_split_dev'], 'greater_than_equal'],
    ['a share of 96 percent', { revenue_split_dev: 96 }, ['revenue_split_dev'], 'less_than_equal'],
    ['another id', { app_id: 'another' }, ['app_id'], 'extra_forbidden'],
    ['a status', { status: 'active' }, ['status'], 'extra_forbidden'],
    ['an icon that is a script', { icon: 'JavaScript:alert(1)' }, ['icon'], 'value_error'],
  ])('is refused with %s', async (_what, body, loc, type) => {
    const { app_id } = await createDraftApp(developer);
    expect(await update(app_id, body)).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', ...loc], type }] },
    });
  });
});

describe('deleting an app', () => {
  it.each(['draft', 'suspended'])(
    'works while it is %s, takes its versions along, and has the Registry told',
    async (status) => {
      const { app_id } = await createDraftApp(developer);
      await storeDeployedVersion(gateway, app_id);
      await setStatus(app_id, status);
      expect(await remove(app_id)).toMatchObject({
        status: 200,
        body: { app_id, status: 'deleted', installs_purged: 0 },
      });
      expect((await developer.client.get(`${APPS}/${app_id}`)).status).toBe(404);
      expect((await remove(app_id)).status).toBe(404);
      for (const table of ['apps', 'app_versions', 'deploys']) {
        expect(await gateway.service.query(`SELECT 1 FROM ${table} WHERE app_id = $1`, [app_id])).toEqual([]);
      }
      expect(await syncs(app_id)).toBe(1);
      expect((await auditEntriesOf(gateway, app_id)).at(-1)).toMatchObject({
        action: 'app.deleted',
        before_state: { status, version: '1.0.0' },
        after_state: null,
        metadata: { developer_id: developer.user.id },
      });
    },
  );

  it('is refused while it is in review or active, and unless it is confirmed', async () => {
    const { app_id } = await createDraftApp(developer);
    await storeDeployedVersion(gateway, app_id);
    await expectUnchanged(gateway, app_id, async () => {
      for (const confirm_name of ['Invoices', '', `${app_id} `, app_id.toUpperCase()]) {
        expect(await remove(app_id, { confirm_name })).toMatchObject({
          status: 400,
          body: { code: 'app.not_confirmed' },
        });
      }
      for (const body of [{}, { confirm_name: true }]) expect((await remove(app_id, body)).status).toBe(422);
      expect((await developer.client.delete(`${APPS}/${app_id}`)).status).toBe(422);
    });
    for (const status of ['pending_review', 'active']) {
      await setStatus(app_id, status);
      await expectUnchanged(gateway, app_id, async () => {
        expect(await remove(app_id)).toMatchObject({ status: 409, body: { code: 'app.wrong_status', status } });
      });
    }
  });

  it('frees the id of an app that was never deployed for everybody, and of another for its developer alone', async () => {
    const [stranger] = await strangers();
    const never = await createDraftApp(developer);
    await remove(never.app_id);
    expect((await create({ app_id: never.app_id }, stranger)).status).toBe(201);

    const once = await createDraftApp(developer);
    await storeDeployedVersion(gateway, once.app_id);
    await remove(once.app_id);
    expect(await create({ app_id: once.app_id }, stranger)).toMatchObject({
      status: 409,
      body: { code: 'app.id_taken' },
    });
    expect((await create({ app_id: once.app_id })).status).toBe(201);
    await remove(once.app_id);
    expect((await create({ app_id: once.app_id }, stranger)).status).toBe(409);
  });

  it('frees no id for somebody who asks for it at the same moment', async () => {
    const [stranger] = await strangers();
    const { app_id } = await createDraftApp(developer);
    await storeDeployedVersion(gateway, app_id);
    // Holds the deletion between its last change and its commit.
    const held = await HeldLock.acquire(gateway.service, 'LOCK TABLE gateway_audit.audit_entries IN SHARE MODE');
    const deleting = remove(app_id);
    await held.waitForBlocked(1);
    const creating = create({ app_id }, stranger);
    await held.waitForBlocked(2);
    await held.release();
    expect((await deleting).status).toBe(200);
    expect((await creating).status).toBe(409);
  });

  it('happens once, though 50 ask for it at once', async () => {
    const { app_id } = await createDraftApp(developer);
    const answers = await Promise.all(Array.from({ length: 50 }, () => remove(app_id)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(49);
    expect((await auditEntriesOf(gateway, app_id)).filter(({ action }) => action === 'app.deleted')).toHaveLength(1);
  });

  it('makes room for another app of the tier', async () => {
    const explorer = await newDeveloper(gateway, 'explorer');
    const { app_id } = await createDraftApp(explorer);
    expect((await create({}, explorer.client)).status).toBe(403);
    await remove(app_id, { confirm_name: app_id }, explorer.client);
    expect((await create({}, explorer.client)).status).toBe(201);
  });
});
