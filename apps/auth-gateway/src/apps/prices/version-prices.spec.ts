import { documentOf, DeployTest, type TestDeveloper } from '../../testing/deploy-test.js';

let test: DeployTest;
let ada: TestDeveloper;
beforeAll(async () => {
  test = await DeployTest.start();
  ada = await test.developer();
});
afterAll(() => test.stop());

const LATER = 10_000_000;
const PRICES = { pricing_model: 'per_action', pricing_config: { tool_prices: { make: 20, later: LATER } } };

/** A document with a function of each of these names. */
const document = (appId: string, version: string, functions: string[]) => {
  const sample = documentOf(appId, version);
  return {
    ...sample,
    steps: functions.flatMap((name) => sample.steps.map((step) => ({ ...step, id: name, action: name }))),
  };
};
const deploy = async (appId: string, version: string, functions: string[]) => {
  expect(await test.deployAndWait(ada, appId, { ir_dict: document(appId, version, functions) })).toMatchObject({
    status: 'success',
  });
};
const priceOf = async (appId: string) =>
  (
    await test.query<{ version: number; prices: object }>(
      `SELECT p.version, p.function_prices AS prices FROM apps a JOIN app_prices p ON p.app_id = a.app_id AND p.version = a.price_version
       WHERE a.app_id = $1`,
      [appId],
    )
  )[0];

async function published(functions: string[]): Promise<string> {
  const appId = await test.app(ada);
  await deploy(appId, '1.0.0', functions);
  expect((await ada.client.put(`/v1/developer/apps/${appId}`, PRICES)).status).toBe(200);
  expect((await ada.client.post(`/v1/developer/apps/${appId}/submit`, {})).status).toBe(200);
  const { body } = await test.gateway
    .backend()
    .get<{ app_id: string; sha256: string }[]>('/v1/admin/apps/pending?limit=500');
  const sha256 = body.find(({ app_id }) => app_id === appId)?.sha256;
  const approved = await test.gateway.backend().post(`/v1/admin/apps/${appId}/approve`, { version: '1.0.0', sha256 });
  expect(approved.status).toBe(200);
  return appId;
}

async function userOf(appId: string) {
  const { id } = await test.gateway.user();
  const client = test.gateway.actingFor(id);
  const installed = await client.post<{ price_version: number | null }>(`/v1/marketplace/apps/${appId}/install`, {});
  expect(installed.status).toBe(200);
  const call = (name: string) =>
    client.post(`/v1/extensions/${appId}/call`, { user_id: id, function: name, params: { name: 'Bob' } });
  return { call, agreed: installed.body.price_version };
}

const notAgreed = (price: number) => ({
  status: 409,
  body: { code: 'extension.price_not_agreed', price, agreed_price: 0 },
});

it('a price counts from the version on that has its function, and nobody has agreed to it before', async () => {
  const appId = await published(['make']);
  expect(await priceOf(appId)).toEqual({ version: 1, prices: { make: 20 } });
  const { call, agreed } = await userOf(appId);
  expect(agreed).toBe(1);
  await deploy(appId, '1.1.0', ['make', 'later']);
  expect(await priceOf(appId)).toEqual({ version: 2, prices: { make: 20, later: LATER } });
  expect(await call('later')).toMatchObject(notAgreed(LATER));
  expect(await call('make')).toMatchObject({ status: 402, body: { price: 20 } });
});

it('who agrees while a function is not served has not agreed to its price when it comes back', async () => {
  const appId = await published(['make', 'later']);
  await deploy(appId, '1.1.0', ['make']);
  expect(await priceOf(appId)).toEqual({ version: 2, prices: { make: 20 } });
  const { call, agreed } = await userOf(appId);
  expect(agreed).toBe(2);
  await deploy(appId, '1.2.0', ['make', 'later']);
  expect(await priceOf(appId)).toEqual({ version: 3, prices: { make: 20, later: LATER } });
  expect(await call('later')).toMatchObject(notAgreed(LATER));
});
