import type { CallResponse, DeployResponse, KeyResponse } from '@platform/contracts';
import { until, withJobs } from '@platform/testing';
import { newAppId } from '../../testing/apps.js';
import { DeployTest, documentOf, type TestDeveloper } from '../../testing/deploy-test.js';
import { expectNothingStored } from '../../testing/stored-rows.js';

let test: DeployTest;
let ada: TestDeveloper;
beforeAll(async () => {
  test = await DeployTest.start();
  ada = await test.developer();
  await test.gateway.runScheduledJob('deploy', 'system-apps');
  await until(async () => (await test.servedVersions('developer')).registry);
});
afterAll(() => test.stop());

const call = (developer: Pick<TestDeveloper, 'user' | 'client'>, name: string, params: object) =>
  withJobs(
    developer.client
      .post<CallResponse>('/v1/extensions/developer/call', { user_id: developer.user.id, function: name, params })
      .then(({ body }) => body),
  );
const deploysOf = ({ client }: TestDeveloper, appId: string) =>
  client.get<DeployResponse[]>(`/v1/developer/apps/${appId}/deploys`).then(({ body }) => body);
const statusOf = async (appId: string) =>
  (await test.query<{ status: string }>('SELECT status FROM apps WHERE app_id = $1', [appId]))[0]?.status;

/** A document in the envelope form, with an icon and a panel. */
const envelopeOf = (appId: string, version: string) => ({
  ir_version: '1.0',
  app: {
    id: appId,
    version,
    title: 'Notes',
    icon: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0" onclick="x()"/></svg>',
    functions: [
      {
        name: 'greet',
        description: 'Says hello to somebody.',
        action_type: 'read',
        impl: { kind: 'declarative', steps: [{ id: 'a', op: 'transform.now', args: {} }] },
      },
    ],
    ui: {
      panels: [
        {
          panel_id: 'notes',
          slot: 'left',
          title: 'Notes',
          render: { kind: 'static', tree: { type: 'text', props: {} } },
        },
      ],
    },
  },
});

describe('deploy_ir', () => {
  it('deploys a document and answers with a receipt when both sides serve it', async () => {
    const appId = await test.app(ada);
    const answer = await test.deployIr(ada, appId, documentOf(appId, '1.0.0'));
    expect(answer).toEqual({
      status: 'success',
      data: {
        app_id: appId,
        deployed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        steps_registered: 2,
        ir_version: '1.0',
        commit: '1.0.0',
        status: 'deployed',
        validation: 'ok',
        tools_synced: true,
        panels_synced: false,
        icon_synced: false,
        manifest_synced: true,
        migrations_applied: null,
        webhooks: [],
        warnings: [],
        waits_for: null,
        unchanged: false,
      },
      summary: `${appId} 1.0.0 is deployed.`,
      error: null,
      ui: null,
      error_code: null,
      retryable: false,
    });
    expect(await test.servedVersions(appId)).toEqual({ gateway: '1.0.0', registry: '1.0.0' });
    expect(await statusOf(appId)).toBe('draft');
  });

  it('takes the envelope form, with an icon that is sanitised, and panels', async () => {
    const appId = await test.app(ada);
    const { status, data, error } = await test.deployIr(ada, appId, envelopeOf(appId, '1.0.0'));
    expect({ status, data, error }).toMatchObject({
      status: 'success',
      data: { panels_synced: true, icon_synced: true },
    });
    expect(await test.query('SELECT icon_svg FROM apps WHERE app_id = $1', [appId])).toEqual([
      { icon_svg: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0"></path></svg>' },
    ]);
  });

  it('writes a success deploy record, so that the app can be submitted', async () => {
    const appId = await test.app(ada);
    await test.deployIr(ada, appId, documentOf(appId, '1.0.0'));
    expect(await deploysOf(ada, appId)).toMatchObject([{ status: 'success', version: '1.0.0' }]);
    expect((await ada.client.post(`/v1/developer/apps/${appId}/submit`, {})).status).toBe(200);
  });

  it('answers the same again for the same document, however it is written, says that nothing has changed, and does nothing', async () => {
    const appId = await test.app(ada);
    const first = await test.deployIr(ada, appId, documentOf(appId, '1.0.0'));
    const { steps, ...rest } = documentOf(appId, '1.0.0');
    expect(await test.deployIr(ada, appId, { steps, ...rest })).toMatchObject({
      status: 'success',
      error: null,
      data: { ...(first.data as object), unchanged: true },
      summary: `${appId} 1.0.0 is already deployed: nothing has changed.`,
    });
    expect(await deploysOf(ada, appId)).toHaveLength(1);
    await test.deployIr(ada, appId, documentOf(appId, '2.0.0'));
    expect(await test.deployIr(ada, appId, documentOf(appId, '1.0.0'))).toMatchObject({ data: { unchanged: false } });
  });

  it('gives what the developer should know, as the deploy has it', async () => {
    const appId = await test.app(ada);
    const { body } = await ada.client.post<KeyResponse>('/v1/keys', { name: 'ci', scopes: 'apps:*,developer:*' });
    const program = { user: ada.user, client: test.gateway.client().withHeaders({ 'x-api-key': body.key }) };
    const answer = await test.deployIr(program, appId, documentOf(appId, '1.0.0'));
    expect(answer).toMatchObject({
      data: { warnings: [expect.stringMatching(/^An API key deployed this version\. /)] },
    });
  });

  it('answers the same to 50 at once, and deploys once', async () => {
    const appId = await test.app(ada);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => test.deployIr(ada, appId, documentOf(appId, '1.0.0'))),
    );
    expect(answers[0]).toMatchObject({ status: 'success' });
    // Some requests arrive after the deploy has ended.
    expect(new Set(answers.map(({ data }) => JSON.stringify({ ...(data as object), unchanged: null }))).size).toBe(1);
    expect(await deploysOf(ada, appId)).toHaveLength(1);
  });

  it('deploys an older document again when another one is served', async () => {
    const appId = await test.app(ada);
    const first = await test.deployIr(ada, appId, documentOf(appId, '1.0.0'));
    await test.deployIr(ada, appId, documentOf(appId, '2.0.0'));
    const back = await test.deployIr(ada, appId, documentOf(appId, '1.0.0'));
    expect(back).toMatchObject({ status: 'success', data: { commit: '1.0.0' } });
    expect(back.data).not.toEqual(first.data);
    expect(await test.servedVersions(appId)).toEqual({ gateway: '1.0.0', registry: '1.0.0' });
  });

  it('replaces the content of a version of a draft, and refuses it for an app in the marketplace', async () => {
    const appId = await test.app(ada);
    await test.deployIr(ada, appId, documentOf(appId, '1.0.0', 'Good evening'));
    const replaced = await test.deployIr(ada, appId, documentOf(appId, '1.0.0'));
    expect(replaced).toMatchObject({ status: 'success', data: { commit: '1.0.0', unchanged: false } });
    expect(await test.deployIr(ada, appId, documentOf(appId, '1.0.0'))).toMatchObject({
      status: 'success',
      data: { unchanged: true },
    });
    await test.query("UPDATE apps SET status = 'active' WHERE app_id = $1", [appId]);
    await expectNothingStored(test.gateway.service, async () => {
      expect(await test.deployIr(ada, appId, documentOf(appId, '1.0.0', 'Goodbye'))).toMatchObject({
        status: 'error',
        data: null,
        error_code: 'DEPLOY_VERSION_TAKEN',
        retryable: false,
      });
    });
  });

  it('refuses a document with all that is wrong with it, and writes nothing', async () => {
    const appId = await test.app(ada);
    const document = {
      ...documentOf('another', '1.0.0'),
      version: 'one',
      steps: [{ id: 'a', kind: 'nothing', action: 'x', params: {} }],
    };
    await expectNothingStored(test.gateway.service, async () => {
      const answer = await test.deployIr(ada, appId, document);
      expect(answer).toMatchObject({ status: 'error', error_code: 'INVALID_IR', retryable: false });
      expect(answer.error).toMatch(/^Invalid IR — not deployed\. /);
      for (const place of ['/app_id: ', '/version: ', '/steps/0/kind: ']) expect(answer.error).toContain(place);
      expect((answer.data as { issues: unknown[] }).issues.length).toBeGreaterThanOrEqual(3);
      for (const nothing of [null, 'x', 1, [], {}]) {
        expect(await test.deployIr(ada, appId, nothing)).toMatchObject({
          status: 'error',
          error: expect.stringMatching(/^Invalid IR — not deployed\. /),
        });
      }
    });
  });

  it('knows no app but those of the developer', async () => {
    const eve = await test.developer();
    const appId = await test.app(ada);
    await expectNothingStored(test.gateway.service, async () => {
      for (const target of [appId, 'nobodys', 'developer']) {
        expect(await test.deployIr(eve, target, documentOf(target, '1.0.0'))).toMatchObject({
          status: 'error',
          error: expect.stringMatching(/^App not found/),
          error_code: 'APP_NOT_FOUND',
        });
      }
    });
  });

  it.each<[string, object, string]>([
    ['no app_id', { app_id: undefined }, 'VALIDATION_MISSING_FIELD'],
    ['no ir_dict', { ir_dict: undefined }, 'VALIDATION_MISSING_FIELD'],
    ['a path for an app_id', { app_id: '../x' }, 'VALIDATION_TYPE_ERROR'],
    ['65 characters for an app_id', { app_id: 'a'.repeat(65) }, 'VALIDATION_TYPE_ERROR'],
    ['a text for dev_mode', { dev_mode: 'yes' }, 'VALIDATION_TYPE_ERROR'],
  ])('is refused with %s', async (_what, changes, error_code) => {
    const answer = await call(ada, 'deploy_ir', { app_id: 'a', ir_dict: {}, ...changes });
    expect(answer).toMatchObject({ status: 'error', error_code });
  });

  it('fails with the reason when the Registry refuses', async () => {
    const appId = await test.app(ada);
    await test.registry.post('/v1/apps', { app_id: appId, display_name: 'Notes' });
    await test.registry.put(`/v1/apps/${appId}/tools`, {
      version: '1.0.0',
      tools: [{ name: 'other' }],
      skeleton_sections: [],
    });
    expect(await test.deployIr(ada, appId, documentOf(appId, '1.0.0'))).toMatchObject({
      status: 'error',
      error_code: 'DEPLOY_FAILED',
      error: expect.stringContaining('other functions'),
      data: { deploy_id: expect.stringMatching(/^dep_/) },
      retryable: false,
    });
  });

  it('says that it may be tried again while the Registry is away, and goes on in the background', async () => {
    test.gateway.expectFailures('deploys');
    const appId = await test.app(ada);
    await test.withoutRegistry(async () => {
      expect(await test.deployIr(ada, appId, documentOf(appId, '1.0.0'))).toMatchObject({
        status: 'error',
        error_code: 'BACKEND_5XX',
        error: expect.stringMatching(/try again/i),
        retryable: true,
        data: { deploy_id: expect.any(String) },
      });
    });
    const receipt = await until(async () => {
      const answer = await test.deployIr(ada, appId, documentOf(appId, '1.0.0'));
      return answer.status === 'success' ? answer : null;
    });
    expect(receipt.data).toMatchObject({ tools_synced: true });
    expect(await deploysOf(ada, appId)).toMatchObject([{ status: 'success' }]);
  });

  it('submits the app for review when that is asked for, and only then', async () => {
    const appId = await test.app(ada);
    await test.deployIr(ada, appId, documentOf(appId, '1.0.0'), { dev_mode: true });
    expect(await statusOf(appId)).toBe('draft');
    const submitted = await test.deployIr(ada, appId, documentOf(appId, '1.0.1'), { dev_mode: false });
    expect(submitted).toMatchObject({
      status: 'success',
      summary: `${appId} 1.0.1 is deployed. It is submitted for review.`,
    });
    expect(await statusOf(appId)).toBe('pending_review');
    const again = await test.deployIr(ada, appId, documentOf(appId, '1.0.2'), { dev_mode: false });
    expect(again).toMatchObject({
      status: 'success',
      summary: expect.stringContaining('was not submitted for review'),
    });
  });
});

describe('the functions of the developer portal', () => {
  it('lead from a user to an app in review, and back', async () => {
    const user = await test.gateway.user();
    const eve = { user, client: await test.gateway.signIn(user) };
    const app_id = newAppId();
    expect(await call(eve, 'create_app', { app_id, name: 'Notes' })).toMatchObject({
      error_code: 'DEVELOPER_NOT_REGISTERED',
    });
    expect(await call(eve, 'register_developer', { display_name: 'Eve' })).toMatchObject({
      status: 'success',
      data: { tier: 'explorer' },
    });
    expect(await call(eve, 'register_developer', { display_name: 'Eve' })).toMatchObject({
      status: 'error',
      error: expect.stringContaining('already registered'),
    });
    expect(await call(eve, 'create_app', { app_id, name: 'Notes', category: 'productivity' })).toMatchObject({
      status: 'success',
      data: { app_id, status: 'draft' },
    });
    expect(await call(eve, 'update_app_info', { app_id, short_description: 'Keeps notes' })).toMatchObject({
      status: 'success',
      data: { short_description: 'Keeps notes' },
    });
    expect(await call(eve, 'submit_for_review', { app_id })).toMatchObject({
      status: 'error',
      error_code: 'APP_NOT_READY',
    });
    expect(await test.deployIr(eve, app_id, documentOf(app_id, '1.0.0'))).toMatchObject({ status: 'success' });
    expect(await call(eve, 'submit_for_review', { app_id })).toMatchObject({
      status: 'success',
      data: { status: 'pending_review' },
    });
    expect(await call(eve, 'suspend_app', { app_id })).toMatchObject({
      status: 'success',
      data: { status: 'suspended' },
    });
    expect(await call(eve, 'delete_app', { app_id, confirm_name: 'x' })).toMatchObject({
      status: 'error',
      error_code: 'APP_NOT_CONFIRMED',
    });
    expect(await call(eve, 'delete_app', { app_id, confirm_name: app_id })).toMatchObject({ status: 'success' });
    expect(await statusOf(app_id)).toBeUndefined();
  });

  it('refuse what the routes refuse, and what is not the developer’s', async () => {
    const appId = await test.app(ada);
    const eve = await test.developer();
    expect(await call(ada, 'update_app_info', { app_id: appId, category: 1 })).toMatchObject({
      error_code: 'VALIDATION_TYPE_ERROR',
    });
    expect(await call(ada, 'update_app_info', { app_id: appId, short_description: 'a\nb' })).toMatchObject({
      error_code: 'VALIDATION_TYPE_ERROR',
      error: expect.stringContaining('short_description'),
    });
    for (const [name, params] of [
      ['update_app_info', { name: 'Mine' }],
      ['submit_for_review', {}],
      ['suspend_app', {}],
      ['delete_app', { confirm_name: appId }],
    ] as const) {
      expect(await call(eve, name, { app_id: appId, ...params })).toMatchObject({
        status: 'error',
        error_code: 'APP_NOT_FOUND',
      });
    }
  });
});

it('the Registry offers what can run, by the way of every app', async () => {
  const { body } = await test.registry.get<{ version: string; tools: { name: string }[] }>('/v1/apps/developer/tools');
  expect(body.tools.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['deploy_ir', 'smoke_ir', 'create_app', 'save_app_secret']),
  );
  expect(await test.servedVersions('developer')).toEqual({ gateway: body.version, registry: body.version });
});
