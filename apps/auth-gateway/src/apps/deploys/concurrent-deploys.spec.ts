import type { DeployResponse } from '@platform/contracts';
import { DeployTest, documentOf, type TestDeveloper } from '../../testing/deploy-test.js';

let test: DeployTest;
let ada: TestDeveloper;
beforeAll(async () => {
  test = await DeployTest.start({ WORKERS: 'inline' });
  ada = await test.developer();
});
afterAll(() => test.stop());

const path = (appId: string) => `/v1/developer/apps/${appId}/deploys`;

describe('50 deploys at once', () => {
  const fifty = Array.from({ length: 50 }, (_value, at) => at);
  const numbers = (deploys: DeployResponse[]) => deploys.map(({ number }) => number).sort((a, b) => a - b);

  it('of as many versions end one way or another, with the newest that succeeded served on both sides', async () => {
    const appId = await test.app(ada);
    const accepted = await Promise.all(
      fifty.map((at) => test.deploy(ada, appId, { ir_dict: documentOf(appId, `1.0.${at}`, `${at}`) })),
    );
    expect(numbers(accepted)).toEqual(fifty.map((at) => at + 1));
    const newest = accepted.find(({ number }) => number === 50) as DeployResponse;
    expect(await test.waitForDeploy(ada, appId, newest.deploy_id)).toMatchObject({ status: 'success' });
    const { body: deploys } = await ada.client.get<DeployResponse[]>(path(appId));
    expect(deploys.map(({ number }) => number)).toEqual(fifty.map((at) => 50 - at));
    expect(deploys[0]).toMatchObject({ deploy_id: newest.deploy_id, status: 'success' });
    // The number of superseded deploys depends on which of two concurrent ones ends first. The spec
    // of the saga tests the exact result.
    for (const { status } of deploys) expect(['success', 'superseded']).toContain(status);
    expect(deploys.every(({ deployed_at }) => deployed_at)).toBe(true);
    expect(await test.servedVersions(appId)).toEqual({ gateway: newest.version, registry: newest.version });
  });

  it('of one version with the same content are 50 deploys of one version', async () => {
    const appId = await test.app(ada);
    const accepted = await Promise.all(
      fifty.map(() => test.deploy(ada, appId, { ir_dict: documentOf(appId, '1.0.0') })),
    );
    expect(numbers(accepted)).toEqual(fifty.map((at) => at + 1));
    for (const { deploy_id } of accepted) await test.waitForDeploy(ada, appId, deploy_id);
    expect(await test.servedVersions(appId)).toEqual({ gateway: '1.0.0', registry: '1.0.0' });
  });

  it('of one version of a draft with different content end with the newest on both sides', async () => {
    const appId = await test.app(ada);
    const accepted = await Promise.all(
      fifty.map((at) => test.deploy(ada, appId, { ir_dict: documentOf(appId, '1.0.0', `${at}`) })),
    );
    expect(numbers(accepted)).toEqual(fifty.map((at) => at + 1));
    for (const { deploy_id } of accepted) {
      expect(['success', 'superseded']).toContain((await test.waitForDeploy(ada, appId, deploy_id)).status);
    }
    const said = `Says ${accepted.findIndex(({ number }) => number === 50)} to somebody.`;
    expect(await test.servedVersions(appId)).toEqual({ gateway: '1.0.0', registry: '1.0.0' });
    expect(
      await test.query(
        "SELECT manifest -> 'tools' -> 0 ->> 'description' AS said FROM app_versions WHERE app_id = $1",
        [appId],
      ),
    ).toEqual([{ said }]);
    expect((await test.registry.get(`/v1/apps/${appId}/tools`)).body).toMatchObject({ tools: [{ description: said }] });
  });

  it('of one version of an app in the marketplace with different content are one, and 49 refusals', async () => {
    const appId = await test.app(ada);
    await test.deployAndWait(ada, appId, { ir_dict: documentOf(appId, '0.1.0') });
    await test.query("UPDATE apps SET status = 'active' WHERE app_id = $1", [appId]);
    const answers = await Promise.all(
      fifty.map((at) => ada.client.post<DeployResponse>(path(appId), { ir_dict: documentOf(appId, '1.0.0', `${at}`) })),
    );
    const [won, ...others] = answers.filter(({ status }) => status === 201);
    expect(others).toEqual([]);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(49);
    expect(await test.waitForDeploy(ada, appId, won?.body.deploy_id as string)).toMatchObject({ status: 'success' });
  });
});
