import { until } from '@platform/testing';
import { DeployTest, documentOf, type TestDeveloper } from '../../testing/deploy-test.js';
import { expectNothingStored } from '../../testing/stored-rows.js';

let test: DeployTest;
let ada: TestDeveloper;
beforeAll(async () => {
  test = await DeployTest.start();
  ada = await test.developer();
});
afterAll(() => test.stop());

const ICON = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0"></path></svg>';
const sync = (appId: string, body: object, client = test.gateway.backend()) =>
  client.post<{ updated: boolean }>(`/v1/developer/apps/${appId}/_sync_manifest`, body);
const manifestOf = (appId: string, version = '1.0.0') => ({
  manifest_schema_version: 3,
  app_id: appId,
  version,
  capabilities: ['store'],
  tools: [
    {
      name: 'create_note',
      description: 'Creates a note',
      scopes: ['*'],
      action_type: 'write',
      params_schema: { type: 'object', required: ['text'], properties: { text: { type: 'string' } } },
    },
    { name: 'list_notes', description: 'Lists notes', parameters: [{ name: 'limit' }] },
    { name: 'skeleton_refresh_notes', description: '' },
    { name: 'skeleton_alert_notes', description: '' },
  ],
  panels: [{ panel_id: 'notes' }],
});
const servedBy = (appId: string, version: string) =>
  until(async () => Object.values(await test.servedVersions(appId)).every((served) => served === version));

describe('syncing a manifest', () => {
  it('holds it as a version and deploys it, whether it comes as an object or as text', async () => {
    const appId = await test.app(ada);
    expect(await sync(appId, { manifest_json: manifestOf(appId) })).toMatchObject({
      status: 200,
      body: { updated: true },
    });
    await servedBy(appId, '1.0.0');
    const [stored] = await test.query<{ manifest: object }>(
      'SELECT document, manifest FROM app_versions WHERE app_id = $1',
      [appId],
    );
    expect(stored).toEqual({
      document: null,
      manifest: {
        version: '1.0.0',
        tools: [
          {
            name: 'create_note',
            description: 'Creates a note',
            action_type: 'write',
            params_schema: { type: 'object', required: ['text'], properties: { text: { type: 'string' } } },
            return_schema: null,
            required_scopes: ['*'],
          },
          ...['list_notes', 'skeleton_refresh_notes', 'skeleton_alert_notes'].map((name) => ({
            name,
            description: expect.any(String),
            action_type: 'destructive',
            params_schema: { type: 'object' },
            return_schema: null,
            required_scopes: ['*'],
          })),
        ],
        skeleton_sections: [
          {
            section_name: 'notes',
            refresh_activity: 'skeleton_refresh_notes',
            alert_activity: 'skeleton_alert_notes',
            ttl: 300,
            alert_on_change: true,
          },
        ],
      },
    });
    expect((await sync(appId, { manifest_json: JSON.stringify(manifestOf(appId, '1.1.0')) })).body).toEqual({
      updated: true,
    });
    await servedBy(appId, '1.1.0');
    expect(await test.query('SELECT requested_by, changelog FROM deploys WHERE app_id = $1', [appId])).toEqual([
      { requested_by: 'test', changelog: 'Manifest of an external pipeline' },
      { requested_by: 'test', changelog: 'Manifest of an external pipeline' },
    ]);
  });

  it('goes together with a pipeline that has pushed to the Registry in its own words', async () => {
    const appId = await test.app(ada);
    await test.registry.post('/v1/apps', { app_id: appId, display_name: 'Notes' });
    const tools = manifestOf(appId).tools.map(({ name }) => ({
      activity: `${name}_activity`,
      name,
      domains: ['notes'],
    }));
    await test.registry.put(`/v1/apps/${appId}/tools`, { tools, skeleton_sections: [], version: '1.0.0' });
    expect((await sync(appId, { manifest_json: manifestOf(appId) })).body).toEqual({ updated: true });
    await servedBy(appId, '1.0.0');
  });

  it('says whether anything is another than before', async () => {
    const appId = await test.app(ada);
    const all = { manifest_json: manifestOf(appId), icon_svg: ICON, system: true };
    expect((await sync(appId, all)).body).toEqual({ updated: true });
    expect((await sync(appId, all)).body).toEqual({ updated: false });
    await servedBy(appId, '1.0.0');
    expect((await sync(appId, all)).body).toEqual({ updated: false });
    expect((await sync(appId, {})).body).toEqual({ updated: false });
    expect((await sync(appId, { icon_svg: null, manifest_json: null, system: null })).body).toEqual({ updated: false });
    expect((await sync(appId, { system: false })).body).toEqual({ updated: true });
    expect(await test.query('SELECT icon_svg, system FROM apps WHERE app_id = $1', [appId])).toEqual([
      { icon_svg: ICON, system: false },
    ]);
    expect(await test.query('SELECT count(*)::int AS count FROM deploys WHERE app_id = $1', [appId])).toEqual([
      { count: 1 },
    ]);
  });

  it('is done once by 50 at once', async () => {
    const appId = await test.app(ada);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => sync(appId, { manifest_json: manifestOf(appId), icon_svg: ICON })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(50);
    expect(answers.filter(({ body }) => body.updated)).toHaveLength(1);
    expect(await test.query('SELECT number FROM deploys WHERE app_id = $1', [appId])).toEqual([{ number: 1 }]);
  });

  it('stores an icon without what could run', async () => {
    const appId = await test.app(ada);
    await sync(appId, { icon_svg: ICON.replace('<path', '<script>alert(1)</script><path onclick="alert(1)"') });
    expect(await test.query('SELECT icon_svg FROM apps WHERE app_id = $1', [appId])).toEqual([{ icon_svg: ICON }]);
  });

  it('is refused for a version of an app in the marketplace that has other content', async () => {
    const appId = await test.app(ada);
    await test.deployAndWait(ada, appId, { ir_dict: documentOf(appId, '1.0.0') });
    await test.query("UPDATE apps SET status = 'active' WHERE app_id = $1", [appId]);
    await expectNothingStored(test.gateway.service, async () => {
      const answer = await sync(appId, { manifest_json: manifestOf(appId), icon_svg: ICON });
      expect(answer).toMatchObject({ status: 409, body: { code: 'deploy.version_taken' } });
    });
  });

  it('is refused where it would make an app of the system that nobody is the developer of an ordinary one', async () => {
    expect(await sync('developer', { system: false })).toMatchObject({ status: 409, body: { code: 'app.ownerless' } });
  });

  it.each<[string, (appId: string) => object, (string | number)[], string]>([
    ['an icon that is none', () => ({ icon_svg: 'hello' }), ['icon_svg'], 'value_error'],
    ['a number for an icon', () => ({ icon_svg: 1 }), ['icon_svg'], 'string_type'],
    ['a list for a manifest', () => ({ manifest_json: [] }), ['manifest_json'], 'dict_type'],
    ['text that is no JSON', () => ({ manifest_json: '{' }), ['manifest_json'], 'json_invalid'],
    ['text that is nested too deep', () => ({ manifest_json: '['.repeat(33) }), ['manifest_json'], 'json_too_deep'],
    ['text with a list in it', () => ({ manifest_json: '[]' }), ['manifest_json'], 'dict_type'],
    [
      'no version',
      (appId) => ({ manifest_json: { app_id: appId } }),
      ['manifest_json', 'version'],
      'string_pattern_mismatch',
    ],
    [
      'another app',
      () => ({ manifest_json: { app_id: 'other', version: '1' } }),
      ['manifest_json', 'app_id'],
      'value_error',
    ],
    [
      'tools that are none',
      () => ({ manifest_json: { version: '1', tools: {} } }),
      ['manifest_json', 'tools'],
      'list_type',
    ],
    [
      'a tool without a name',
      () => ({ manifest_json: { version: '1', tools: [{}] } }),
      ['manifest_json', 'tools', 0, 'name'],
      'string_type',
    ],
    [
      'a schema that nothing can be checked against',
      () => ({
        manifest_json: {
          version: '1',
          tools: [{ name: 'a', params_schema: { type: 'object', properties: { a: { type: 'x' } } } }],
        },
      }),
      ['manifest_json', 'tools', 0, 'params_schema'],
      'value_error',
    ],
    ['a text for system', () => ({ system: 'yes' }), ['system'], 'bool_type'],
    ['a key that nobody knows', () => ({ icon: ICON }), ['icon'], 'extra_forbidden'],
  ])('is refused with %s', async (_what, body, place, type) => {
    const appId = await test.app(ada);
    await expectNothingStored(test.gateway.service, async () => {
      const answer = await sync(appId, body(appId));
      expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', ...place], type }] } });
    });
  });

  it('is refused with a key that stands twice in its text', async () => {
    const appId = await test.app(ada);
    await expectNothingStored(test.gateway.service, async () => {
      const answer = await sync(appId, { manifest_json: '{"version":"1","tools":[{"name":"a","name":"b"}]}' });
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'duplicate_key', loc: ['body', 'manifest_json', 'tools', 0, 'name'] },
      });
    });
  });

  it('takes a manifest of up to 1 MiB, and no larger one', async () => {
    const appId = await test.app(ada);
    const of = (count: number) => ({
      ...manifestOf(appId),
      tools: Array.from({ length: count }, (_value, at) => ({ name: `tool_${at}`, description: 'x"'.repeat(1_000) })),
    });
    expect(JSON.stringify(of(320)).length).toBeLessThan(1024 * 1024);
    expect(await sync(appId, { manifest_json: JSON.stringify(of(320)) })).toMatchObject({ status: 200 });
    await servedBy(appId, '1.0.0');
    for (const manifest_json of [of(360), JSON.stringify(of(360))]) {
      expect(await sync(appId, { manifest_json })).toMatchObject({
        status: 422,
        body: { detail: [{ loc: ['body', 'manifest_json'], type: 'too_long' }] },
      });
    }
  });

  it('is for trusted backends alone, and for an app that there is', async () => {
    const appId = await test.app(ada);
    expect((await sync(appId, {}, ada.client)).status).toBe(401);
    expect((await sync(appId, {}, test.gateway.client())).status).toBe(401);
    expect(await sync('nobodys', {})).toMatchObject({ status: 404, body: { code: 'app.not_found' } });
  });
});
