import type { CallResponse, DeployResponse, KeyResponse } from '@platform/contracts';
import { newUuid } from '@platform/platform';
import { until, withJobs } from '@platform/testing';
import { RuleFiringService } from '../../automations/firing/rule-firing.service.js';
import type { RunGrant } from '../../extensions/run-grants/run-grant.js';
import { createApp, newAppId, tool } from '../../testing/apps.js';
import { DeployTest, documentOf, type TestDeveloper } from '../../testing/deploy-test.js';
import { createRunGrant } from '../../testing/run-grants.js';
import { expectNothingStored } from '../../testing/stored-rows.js';

let test: DeployTest;
let ada: TestDeveloper;
beforeAll(async () => {
  test = await DeployTest.start();
  ada = await test.developer();
});
afterAll(() => test.stop());

const path = (appId: string) => `/v1/developer/apps/${appId}/deploys`;
const withoutRequest = (body: unknown) => ({ ...(body as object), request_id: '' });

describe('a deploy', () => {
  it('is accepted, and ends with the version served by the gateway and the Registry', async () => {
    const appId = await test.app(ada);
    const accepted = await test.deploy(ada, appId, {
      version: '1.0.0',
      changelog: 'First',
      ir_dict: documentOf(appId, '1.0.0'),
    });
    expect(accepted).toEqual({
      deploy_id: expect.stringMatching(/^dep_/),
      app_id: appId,
      number: 1,
      version: '1.0.0',
      changelog: 'First',
      status: 'pending',
      created_at: expect.any(String),
      commit_sha: null,
      error_message: '',
      deployed_at: null,
      warnings: [],
      waits_for: null,
      failed_attempts: 0,
      steps: ['accepted', 'validated', 'held', 'served', 'released'].map((name) => ({
        name,
        at: name === 'accepted' ? accepted.created_at : null,
      })),
    });
    const deploy = await test.waitForDeploy(ada, appId, accepted.deploy_id);
    expect(deploy).toMatchObject({ status: 'success', error_message: '', failed_attempts: 0 });
    const times = deploy.steps.map(({ at }) => at);
    expect(times).toEqual([...times].sort());
    expect(deploy.deployed_at).toBe(times[3]);
    expect(await test.servedVersions(appId)).toEqual({ gateway: '1.0.0', registry: '1.0.0' });
    const { body } = await test.registry.get(`/v1/apps/${appId}/tools`);
    expect(body).toMatchObject({
      version: '1.0.0',
      tools: [{ name: 'greet', action_type: 'read', params_schema: { required: ['name'] } }],
      skeleton_sections: [],
    });
    expect((await test.registry.get(`/v1/apps/${appId}`)).body).toMatchObject({
      owner_id: ada.user.id,
      status: 'draft',
      name: 'Notes',
    });
  });

  it.each([
    ['1,999 letters and an emoji', `${'x'.repeat(1_999)}😀`],
    ['2,000 emoji', '😀'.repeat(2_000)],
  ])('succeeds for an app whose description has %s', async (_what, description) => {
    const appId = await test.app(ada);
    expect((await ada.client.put(`/v1/developer/apps/${appId}`, { description, short_description: '' })).status).toBe(
      200,
    );
    await test.deployAndWait(ada, appId, { ir_dict: documentOf(appId, '1.0.0') });
    expect((await test.registry.get(`/v1/apps/${appId}`)).body).toMatchObject({ description });
  });

  it('succeeds for a function whose description is as long as a document may have it', async () => {
    const appId = await test.app(ada);
    const description = '😀'.repeat(10_000);
    const document = documentOf(appId, '1.0.0');
    const steps = document.steps.map((step) => ({ ...step, params: { ...step.params, description } }));
    await test.deployAndWait(ada, appId, { ir_dict: { ...document, steps } });
    expect((await test.registry.get(`/v1/apps/${appId}/tools`)).body).toMatchObject({ tools: [{ description }] });
  });

  it('is written into the audit log: who asked for it, and what became of it', async () => {
    const appId = await test.app(ada);
    const { deploy_id } = await test.deployAndWait(ada, appId, { ir_dict: documentOf(appId, '1.0.0') });
    const entries = await test.query(
      "SELECT * FROM gateway_audit.audit_entries WHERE target_type = 'app' AND target_id = $1 ORDER BY id",
      [appId],
    );
    expect(entries).toMatchObject([
      {
        action: 'app.deploy_requested',
        actor_type: 'user',
        actor_id: ada.user.id,
        tenant_id: 'default',
        after_state: { deploy_id, version: '1.0.0', status: 'pending' },
      },
      {
        action: 'app.deployed',
        actor_type: 'system',
        on_behalf_of: ada.user.id,
        before_state: { served_version: null },
        after_state: { served_version: '1.0.0' },
        metadata: { deploy_id },
      },
    ]);
  });

  it('of an app that has never had a document succeeds without functions, and says so', async () => {
    const appId = await test.app(ada);
    const deploy = await test.deployAndWait(ada, appId, { version: '1.0.0', changelog: 'Nothing yet' });
    expect(deploy).toMatchObject({ status: 'success', warnings: [expect.stringContaining('no functions')] });
    expect((await test.registry.get(`/v1/apps/${appId}/tools`)).body).toMatchObject({ version: '1.0.0', tools: [] });
    expect(await test.servedVersions(appId)).toEqual({ gateway: '1.0.0', registry: '1.0.0' });
    expect(await test.deployAndWait(ada, appId, { version: '1.1.0' })).toMatchObject({
      status: 'success',
      version: '1.1.0',
    });
  });

  it('gives a version its content that had none, while nobody reviews or uses the app', async () => {
    const appId = await test.app(ada);
    await test.deployAndWait(ada, appId, { version: '1.0.0' });
    expect(await test.deployAndWait(ada, appId, { ir_dict: documentOf(appId, '1.0.0') })).toMatchObject({
      status: 'success',
      warnings: [],
    });
    const { body } = await test.registry.get(`/v1/apps/${appId}/tools`);
    expect(body).toMatchObject({ version: '1.0.0', tools: [{ name: 'greet' }] });
    expect(await test.servedVersions(appId)).toEqual({ gateway: '1.0.0', registry: '1.0.0' });
    const reviewed = await test.app(ada);
    await test.deployAndWait(ada, reviewed, { version: '1.0.0' });
    expect((await ada.client.post(`/v1/developer/apps/${reviewed}/submit`, {})).status).toBe(200);
    const late = await ada.client.post(path(reviewed), { ir_dict: documentOf(reviewed, '1.0.0') });
    expect(late).toMatchObject({ status: 409, body: { code: 'deploy.version_taken' } });
  });

  it('gives a version its content also while it is deployed without', async () => {
    const appId = await test.app(ada);
    const deploys = await Promise.all(
      [{ version: '1.0.0' }, { version: '1.0.0' }, { ir_dict: documentOf(appId, '1.0.0') }, { version: '1.0.0' }].map(
        (body) => test.deploy(ada, appId, body),
      ),
    );
    for (const { deploy_id } of deploys) await test.waitForDeploy(ada, appId, deploy_id);
    const { body } = await test.registry.get(`/v1/apps/${appId}/tools`);
    expect(body).toMatchObject({ version: '1.0.0', tools: [{ name: 'greet' }] });
    expect(await test.servedVersions(appId)).toEqual({ gateway: '1.0.0', registry: '1.0.0' });
  });

  it('of an older version is a rollback', async () => {
    const appId = await test.app(ada);
    for (const version of ['1.0.0', '2.0.0'])
      await test.deployAndWait(ada, appId, { version, ir_dict: documentOf(appId, version, version) });
    expect(await test.servedVersions(appId)).toEqual({ gateway: '2.0.0', registry: '2.0.0' });
    expect(await test.deployAndWait(ada, appId, { version: '1.0.0', changelog: 'Back' })).toMatchObject({
      status: 'success',
      warnings: [],
    });
    expect(await test.servedVersions(appId)).toEqual({ gateway: '1.0.0', registry: '1.0.0' });
    expect((await test.registry.get(`/v1/apps/${appId}/tools`)).body).toMatchObject({
      tools: [{ description: 'Says 1.0.0 to somebody.' }],
    });
  });

  it('of a version that there is not is refused, with the ones there are', async () => {
    const appId = await test.app(ada);
    for (const version of ['1.0.0', '1.1.0'])
      await test.deployAndWait(ada, appId, { ir_dict: documentOf(appId, version) });
    await expectNothingStored(test.gateway.service, async () => {
      expect(await ada.client.post(path(appId), { version: '9.9.9' })).toMatchObject({
        status: 409,
        body: {
          code: 'deploy.version_unknown',
          detail: 'This app has no version 9.9.9. Its versions: 1.1.0, 1.0.0.',
          versions: ['1.1.0', '1.0.0'],
        },
      });
    });
  });

  it('of the same version with the same content may be repeated, however it is written', async () => {
    const appId = await test.app(ada);
    const document = documentOf(appId, '1.0.0');
    await test.deployAndWait(ada, appId, { ir_dict: document });
    const { steps, ...rest } = document;
    expect(await test.deployAndWait(ada, appId, { ir_dict: { steps, ...rest } })).toMatchObject({
      status: 'success',
      number: 2,
    });
    expect(await test.query('SELECT version FROM app_versions WHERE app_id = $1', [appId])).toEqual([
      { version: '1.0.0' },
    ]);
  });

  const says = async (appId: string) =>
    (await test.registry.get<{ tools: { description: string }[] }>(`/v1/apps/${appId}/tools`)).body.tools.map(
      (one) => one.description,
    );
  const tools = (appId: string) =>
    test.query(
      `SELECT v.manifest -> 'tools' -> 0 ->> 'description' AS said FROM apps a
         JOIN app_versions v ON v.app_id = a.app_id AND v.version = a.served_version WHERE a.app_id = $1`,
      [appId],
    );

  it('of the same version with other content replaces that of a draft, on both sides', async () => {
    const appId = await test.app(ada);
    for (const greeting of ['Hello', 'Goodbye', 'Hello again']) {
      const deploy = await test.deployAndWait(ada, appId, { ir_dict: documentOf(appId, '1.0.0', greeting) });
      expect(deploy).toMatchObject({ status: 'success', version: '1.0.0' });
      expect(await test.servedVersions(appId)).toEqual({ gateway: '1.0.0', registry: '1.0.0' });
      expect(await tools(appId)).toEqual([{ said: `Says ${greeting} to somebody.` }]);
      expect(await says(appId)).toEqual([`Says ${greeting} to somebody.`]);
    }
    expect(await test.query('SELECT version FROM app_versions WHERE app_id = $1', [appId])).toEqual([
      { version: '1.0.0' },
    ]);
    // Also replaces a version that is not served.
    await test.deployAndWait(ada, appId, { ir_dict: documentOf(appId, '2.0.0') });
    await test.deployAndWait(ada, appId, { ir_dict: documentOf(appId, '1.0.0', 'Bye') });
    expect(await says(appId)).toEqual(['Says Bye to somebody.']);
    expect(await test.query('SELECT 1 FROM app_mismatches WHERE app_id = $1', [appId])).toEqual([]);
  });

  it('keeps what the portal says of a draft as long as the documents say the same', async () => {
    const appId = await test.app(ada);
    const document = (greeting: string, description: string) => ({
      ...documentOf(appId, '1.0.0', greeting),
      description,
    });
    await test.deployAndWait(ada, appId, { ir_dict: document('Hello', 'Greets people.') });
    expect((await ada.client.put(`/v1/developer/apps/${appId}`, { description: 'Greets you.' })).status).toBe(200);
    const described = async () =>
      (await ada.client.get<{ description: string }>(`/v1/developer/apps/${appId}`)).body.description;
    await test.deployAndWait(ada, appId, { ir_dict: document('Goodbye', 'Greets people.') });
    expect(await described()).toBe('Greets you.');
    await test.deployAndWait(ada, appId, { ir_dict: document('Goodbye', 'Greets everybody.') });
    expect(await described()).toBe('Greets everybody.');
  });

  it.each(['pending_review', 'active', 'suspended'])(
    'of the same version with other content is refused while the app is %s',
    async (status) => {
      const appId = await test.app(ada);
      await test.deployAndWait(ada, appId, { ir_dict: documentOf(appId, '1.0.0') });
      await test.query(
        "UPDATE apps SET status = $2, submitted_at = now(), submitted_version = '1.0.0' WHERE app_id = $1",
        [appId, status],
      );
      await expectNothingStored(test.gateway.service, async () => {
        const answer = await ada.client.post(path(appId), { ir_dict: documentOf(appId, '1.0.0', 'Goodbye') });
        expect(answer).toMatchObject({ status: 409, body: { code: 'deploy.version_taken' } });
      });
      expect(await test.servedVersions(appId)).toEqual({ gateway: '1.0.0', registry: '1.0.0' });
      expect(await says(appId)).toEqual(['Says Hello to somebody.']);
    },
  );

  it('of the same version with other content waits for the Registry, and the draft runs nothing until then', async () => {
    const appId = await test.app(ada);
    await test.deployAndWait(ada, appId, { ir_dict: documentOf(appId, '1.0.0') });
    const deploy = await test.withoutRegistry(async () => {
      const accepted = await test.deploy(ada, appId, { ir_dict: documentOf(appId, '1.0.0', 'Goodbye') });
      expect(await test.query('SELECT served_version FROM apps WHERE app_id = $1', [appId])).toEqual([
        { served_version: null },
      ]);
      return accepted;
    });
    expect(await test.waitForDeploy(ada, appId, deploy.deploy_id)).toMatchObject({ status: 'success' });
    expect(await says(appId)).toEqual(['Says Goodbye to somebody.']);
  });

  it.each<[string, (appId: string) => object, (string | number)[], string]>([
    ['neither version nor document', () => ({ changelog: 'x' }), ['version'], 'missing'],
    ['a version with a space', () => ({ version: '1 0' }), ['version'], 'string_pattern_mismatch'],
    ['a number for a version', () => ({ version: 1 }), ['version'], 'string_type'],
    ['a text for a document', () => ({ ir_dict: 'x' }), ['ir_dict'], 'dict_type'],
    ['a list for a document', () => ({ ir_dict: [] }), ['ir_dict'], 'dict_type'],
    ['an empty document', () => ({ ir_dict: {} }), ['ir_dict'], 'form'],
    [
      'the document of another version',
      (appId) => ({ version: '2.0.0', ir_dict: documentOf(appId, '1.0.0') }),
      ['version'],
      'value_error',
    ],
    ['a key that nobody knows', () => ({ version: '1.0.0', force: true }), ['force'], 'extra_forbidden'],
    ['a status that no pipeline records', () => ({ commit_sha: 'a', status: 'pending' }), ['status'], 'literal_error'],
  ])('is refused with %s', async (_what, body, place, type) => {
    const appId = await test.app(ada);
    const answer = await ada.client.post<{ detail: object[] }>(path(appId), body(appId));
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', ...place], type }] } });
  });

  it('is refused with everything that is wrong with its document, each at its place', async () => {
    const appId = await test.app(ada);
    const document = {
      ...documentOf('another', '1.0.0'),
      version: 'one',
      steps: [{ id: 'a', kind: 'nothing', action: 'x', params: {} }],
    };
    await expectNothingStored(test.gateway.service, async () => {
      const answer = await ada.client.post<{ detail: { loc: unknown[] }[] }>(path(appId), { ir_dict: document });
      expect(answer.status).toBe(422);
      expect(answer.body.detail.map(({ loc }) => loc.join('.'))).toEqual(
        expect.arrayContaining(['body.ir_dict.app_id', 'body.ir_dict.version', 'body.ir_dict.steps.0.kind']),
      );
    });
  });

  it('of somebody else does not exist', async () => {
    const eve = await test.developer();
    const acme = await test.gateway.user({ tenant_id: 'default' });
    const appId = await test.app(ada);
    const { deploy_id } = await test.deployAndWait(ada, appId, { version: '1.0.0' });
    for (const client of [eve.client, await test.gateway.signIn(acme)]) {
      const attempts = (id: string) => [
        client.post(path(id), { version: '1.0.0' }),
        client.get(path(id)),
        client.get(`${path(id)}/${deploy_id}`),
      ];
      const [foreign, unknown] = [await Promise.all(attempts(appId)), await Promise.all(attempts('nobodys'))];
      for (const answer of foreign) expect(answer).toMatchObject({ status: 404, body: { code: 'app.not_found' } });
      expect(foreign.map(({ body }) => withoutRequest(body))).toEqual(unknown.map(({ body }) => withoutRequest(body)));
    }
    expect(await ada.client.get(`${path(appId)}/dep_unknown`)).toMatchObject({
      status: 404,
      body: { code: 'deploy.not_found' },
    });
    const other = await test.app(ada);
    expect(await ada.client.get(`${path(other)}/${deploy_id}`)).toMatchObject({
      status: 404,
      body: { code: 'deploy.not_found' },
    });
    expect((await test.gateway.client().get(path(appId))).status).toBe(401);
  });
});

describe('by an API key', () => {
  const NARROW =
    'An API key deployed this version. Until you sign in and deploy it yourself, or it is in the marketplace, it acts for you only with ' +
    'permissions that the key has, and stops when the key is deleted or expires.';
  const withKey = async (): Promise<TestDeveloper> => {
    const { body } = await ada.client.post<KeyResponse>('/v1/keys', {
      name: 'pipeline',
      scopes: 'apps:read,apps:write,developer:call',
    });
    return { user: ada.user, client: test.gateway.client().withHeaders({ 'x-api-key': body.key }) };
  };

  it('a deploy of what is not published says how far that reaches', async () => {
    const appId = await test.app(ada);
    const pipeline = await withKey();
    const document = documentOf(appId, '1.0.0');
    expect(await test.deployAndWait(pipeline, appId, { ir_dict: document })).toMatchObject({
      status: 'success',
      warnings: [NARROW],
    });
    const newest = async () => (await ada.client.get<DeployResponse[]>(`${path(appId)}?limit=1`)).body[0];
    expect(await test.deployIr(pipeline, appId, documentOf(appId, '1.1.0'))).toMatchObject({ status: 'success' });
    expect(await newest()).toMatchObject({ version: '1.1.0', warnings: [NARROW] });
    // The limit also holds for a rollback to a version that the developer deployed in person, until
    // they deploy it in person again.
    expect(await test.deployAndWait(pipeline, appId, { version: '1.0.0' })).toMatchObject({ warnings: [NARROW] });
    expect(await test.deployAndWait(ada, appId, { version: '1.0.0' })).toMatchObject({ warnings: [] });
  });

  it('a deploy of a published app says nothing of it, since that acts by what its users granted', async () => {
    const appId = await test.app(ada);
    await test.deployAndWait(ada, appId, { ir_dict: documentOf(appId, '1.0.0') });
    await test.query("UPDATE apps SET status = 'active' WHERE app_id = $1", [appId]);
    expect(await test.deployAndWait(await withKey(), appId, { ir_dict: documentOf(appId, '1.1.0') })).toMatchObject({
      warnings: [],
    });
  });
});

describe('by a run of an app', () => {
  const SCOPES = ['apps:write', 'developer:call'];
  const START =
    'deployed this version. Until you sign in and deploy it yourself, or it is in the marketplace, it acts for you only with permissions that';
  const KEY_ENDS = 'stops when the key is deleted or expires';
  const narrowing = (id: string) => ({ key: { id, scopes: SCOPES }, narrowing: SCOPES });
  /** Holds the scopes that the apps request. */
  let admin: TestDeveloper;
  beforeAll(async () => {
    admin = await test.developer();
    await test.query("UPDATE users SET role = 'admin' WHERE id = $1", [admin.user.id]);
    admin.client = await test.gateway.signIn(admin.user);
  });
  async function installed(): Promise<string> {
    const appId = newAppId();
    await createApp(test.gateway, { app_id: appId, document: {}, tools: [tool('start', { required_scopes: SCOPES })] });
    const columns = 'user_id, app_id, tenant_id, revision, installed_at, granted_scopes';
    const row = [admin.user.id, appId, SCOPES];
    await test.query(`INSERT INTO installs (${columns}) VALUES ($1, $2, 'default', 7000000, now(), $3)`, row);
    return appId;
  }
  async function deployedBy(runOf: (appId: string) => Promise<Partial<RunGrant>>): Promise<DeployResponse | undefined> {
    const [by, own] = [await installed(), await test.app(admin)];
    const grant = await createRunGrant(test.gateway.service, by, {
      userId: admin.user.id,
      scopes: SCOPES,
      ...(await runOf(by)),
    });
    const asked = { grant, function: 'deploy_ir', params: { app_id: own, ir_dict: documentOf(own, '1.0.0') } };
    const { body } = await withJobs(
      test.gateway.backend().post<CallResponse>('/v1/internal/extensions/developer/call', asked),
    );
    expect(body).toMatchObject({ status: 'success', error: null });
    return (await admin.client.get<DeployResponse[]>(`${path(own)}?limit=1`)).body[0];
  }
  const aKey = async () =>
    (await admin.client.post<KeyResponse>('/v1/keys', { name: 'pipeline', scopes: SCOPES.join() })).body.id;

  it.each<[string, (appId: string) => Promise<Partial<RunGrant>>, string]>([
    [
      'the app',
      () => Promise.resolve({}),
      `An app ${START} the app has, and stops when the app can no longer act for you.`,
    ],
    [
      'both apps where one called the other',
      async (appId) => ({ chain: [`${await installed()}.start`, `${appId}.start`] }),
      `Several apps ${START} each of the apps has, and stops when one of the apps can no longer act for you.`,
    ],
    [
      'the app and the API key from whose call the run follows',
      async () => narrowing(await aKey()),
      `An API key and an app ${START} the key has and the app has, and ${KEY_ENDS}, or the app can no longer act for you.`,
    ],
  ])('a deploy says how far that reaches and with what it ends: %s', async (_what, runOf, warning) => {
    expect((await deployedBy(runOf))?.warnings).toEqual([warning]);
  });

  it('a deploy by an automation that the developer wrote names no app', async () => {
    test.gateway.expectFailures('automation-fires'); // the rule's job waits for the deploy, and the deploy's job runs after it
    const own = await test.app(admin);
    const action = { app_id: 'developer', tool: 'deploy_ir', args: { app_id: own, ir_dict: documentOf(own, '1.0.0') } };
    const params = {
      trigger_filter: { event_type: 'notes.created' },
      actions: [action],
      cooldown_seconds: 0,
      notify_mode: 'off',
    };
    const asked = { user_id: admin.user.id, function: 'create_automation', params };
    const { body } = await admin.client.post<CallResponse>('/v1/extensions/automations/call', asked);
    expect(body).toMatchObject({ status: 'success', error: null });
    const plain = {
      source: 'notes',
      data: {},
      hop: 0,
      scopes: null,
      key: null,
      apps: null,
      type: 'notes.created',
      tenantId: 'default',
    };
    await test.gateway.service.app
      .get(RuleFiringService)
      .onEvent({ ...plain, userId: admin.user.id, id: newUuid(), at: new Date() });
    const deploy = await until(async () => (await admin.client.get<DeployResponse[]>(`${path(own)}?limit=1`)).body[0]);
    expect(deploy.warnings).toEqual([`An automation ${START} the automation has.`]);
  });
});

describe('the deploys of an app', () => {
  it('are listed, the newest first, in pages, also to an API key', async () => {
    const appId = await test.app(ada);
    for (const version of ['1', '2', '3', '4', '5']) await test.deploy(ada, appId, { version });
    const { body: key } = await ada.client.post<KeyResponse>('/v1/keys', { name: 'pipeline' });
    const list = async (query: string) => {
      const client = test.gateway.client().withHeaders({ 'x-api-key': key.key });
      const { status, body } = await client.get<DeployResponse[]>(`${path(appId)}${query}`);
      expect(status).toBe(200);
      return body.map(({ version }) => version);
    };
    expect(await list('')).toEqual(['5', '4', '3', '2', '1']);
    expect([
      ...(await list('?limit=2')),
      ...(await list('?limit=2&offset=2')),
      ...(await list('?limit=2&offset=4')),
    ]).toEqual(['5', '4', '3', '2', '1']);
    for (const query of ['limit=0', 'limit=201', 'offset=-1', 'limit=x']) {
      expect((await ada.client.get(`${path(appId)}?${query}`)).status).toBe(422);
    }
  });
});

describe('a trusted backend', () => {
  it('records a deploy that is finished', async () => {
    const appId = await test.app(ada);
    const backend = test.gateway.backend();
    const recorded = await backend.post<DeployResponse>(path(appId), { commit_sha: '9fceb02' });
    expect(recorded).toMatchObject({
      status: 201,
      body: {
        commit_sha: '9fceb02',
        version: null,
        status: 'success',
        error_message: '',
        deployed_at: expect.any(String),
      },
    });
    const failed = { commit_sha: '1a2b3c4', status: 'failed', error_message: '{"checks":[]}' };
    expect((await backend.post(path(appId), failed)).body).toMatchObject(failed);
    const warning = { commit_sha: 'abc', status: 'warning', version: '1.0.0' };
    expect(await backend.post(path(appId), warning)).toMatchObject({
      status: 409,
      body: { code: 'deploy.version_unknown', versions: [] },
    });
    await test.query(
      `INSERT INTO app_versions (app_id, version, sha256, manifest)
       VALUES ($1, '1.0.0', sha256('x'), '{"version":"1.0.0","tools":[],"skeleton_sections":[]}')`,
      [appId],
    );
    expect((await backend.post(path(appId), warning)).body).toMatchObject({ status: 'warning', version: '1.0.0' });
    expect((await ada.client.get<DeployResponse[]>(path(appId))).body.map(({ status }) => status)).toEqual([
      'warning',
      'failed',
      'success',
    ]);
    expect(await test.servedVersions(appId)).toEqual({ gateway: null, registry: null });
    expect(
      await test.query(
        "SELECT action FROM gateway_audit.audit_entries WHERE target_id = $1 AND actor_type = 'service'",
        [appId],
      ),
    ).toEqual(Array.from({ length: 3 }, () => ({ action: 'app.deploy_recorded' })));
  });

  it('is alone in that', async () => {
    const appId = await test.app(ada);
    for (const body of [
      { commit_sha: '9fceb02' },
      { version: '1.0.0', status: 'success' },
      { version: '1.0.0', error_message: '' },
    ]) {
      expect(await ada.client.post(path(appId), body)).toMatchObject({
        status: 403,
        body: { code: 'deploy.record_forbidden' },
      });
    }
    expect((await ada.client.get(path(appId))).body).toEqual([]);
  });

  it('deploys for a developer, who is named by the header or by user_id', async () => {
    const eve = await test.developer();
    const appId = await test.app(ada);
    const backend = test.gateway.backend();
    const acting = test.gateway.actingFor(ada.user.id);
    expect((await acting.post(path(appId), { version: '1.0.0' })).status).toBe(201);
    expect((await backend.post(path(appId), { version: '1.0.0', user_id: ada.user.id })).status).toBe(201);
    expect((await backend.post(path(appId), { version: '1.0.0' })).status).toBe(201);
    expect(await test.query('SELECT requested_by FROM deploys WHERE app_id = $1 ORDER BY number', [appId])).toEqual([
      { requested_by: ada.user.id },
      { requested_by: 'test' },
      { requested_by: 'test' },
    ]);
    for (const answer of [
      await test.gateway.actingFor(eve.user.id).post(path(appId), { version: '1.0.0' }),
      await backend.post(path(appId), { version: '1.0.0', user_id: eve.user.id }),
      await backend.get(`${path(appId)}?user_id=${eve.user.id}`),
    ]) {
      expect(answer).toMatchObject({ status: 404, body: { code: 'app.not_found' } });
    }
    expect((await backend.get(`${path(appId)}?user_id=${ada.user.id}`)).status).toBe(200);
    const named = await ada.client.post(path(appId), { version: '1.0.0', user_id: eve.user.id });
    expect(named).toMatchObject({ status: 403, body: { code: 'other_user' } });
  });
});

describe('the database', () => {
  it('refuses to serve what the Registry has not been seen to hold, and to change a version of what others use', async () => {
    const appId = await test.app(ada);
    await test.query(
      `INSERT INTO app_versions (app_id, version, sha256, manifest, document, hosts, capabilities)
       VALUES ($1, '1', sha256('x'), '{"version":"1","tools":[],"skeleton_sections":[]}', '{"app":{}}', '{}', '{}')`,
      [appId],
    );
    const violates = (constraint: string) => ({ driverError: { constraint } });
    await test.query("UPDATE apps SET status = 'suspended' WHERE app_id = $1", [appId]);
    await expect(test.query("UPDATE apps SET served_version = '1' WHERE app_id = $1", [appId])).rejects.toMatchObject(
      violates('apps_served_held_check'),
    );
    for (const change of ["manifest = '{}'", "sha256 = sha256('y')", "document = '{}'"]) {
      await expect(test.query(`UPDATE app_versions SET ${change} WHERE app_id = $1`, [appId])).rejects.toMatchObject(
        violates('app_versions_immutable_check'),
      );
    }
    await test.query('UPDATE app_versions SET registry_held_at = now() WHERE app_id = $1', [appId]);
    await test.query("UPDATE apps SET served_version = '1' WHERE app_id = $1", [appId]);
  });
});
