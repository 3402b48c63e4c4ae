import type { AppDetailResponse, MarketplaceAppDetail } from '@platform/contracts';
import { DeployTest, documentOf, type TestDeveloper } from '../../testing/deploy-test.js';

/** The listing of an app in the marketplace, which comes from its document. */
let test: DeployTest;
let ada: TestDeveloper;
let appId: string;
beforeAll(async () => {
  test = await DeployTest.start();
  ada = await test.developer();
});
beforeEach(async () => (appId = await test.app(ada)));
afterAll(() => test.stop());

const shown = async () => (await ada.client.get<AppDetailResponse>(`/v1/developer/apps/${appId}`)).body;
const edit = (body: object) => ada.client.put(`/v1/developer/apps/${appId}`, body);
async function deploy(version: string, said: object): Promise<void> {
  const { name: _name, ...document } = documentOf(appId, version);
  expect(await test.deployAndWait(ada, appId, { ir_dict: { ...document, ...said } })).toMatchObject({
    status: 'success',
  });
}
const SAID = {
  name: 'Note keeper',
  description: 'Keeps notes.\nAnd finds them again.',
  homepage: 'https://notes.example.com/about?a=1',
  license: 'MIT',
  category: 'productivity',
};
const LISTED = {
  display_name: 'Note keeper',
  description: SAID.description,
  short_description: 'Keeps notes. And finds them again.',
  homepage: SAID.homepage,
  license: 'MIT',
  category: 'productivity',
};

it('is shown from its first deploy on, and in the marketplace', async () => {
  await deploy('1.0.0', SAID);
  expect(await shown()).toMatchObject(LISTED);
  await test.query("UPDATE apps SET status = 'active', published_at = now() WHERE app_id = $1", [appId]);
  const { body } = await test.gateway.client().get<MarketplaceAppDetail>(`/v1/marketplace/apps/${appId}`);
  expect(body).toMatchObject({ ...LISTED, name: 'Note keeper' });
});

it('leaves alone what it says nothing of', async () => {
  await edit({
    name: 'Mine',
    description: 'By hand.',
    license: 'Apache-2.0',
    category: 'finance',
    homepage: 'https://mine.example.com',
  });
  await deploy('1.0.0', {});
  expect(await shown()).toMatchObject({
    display_name: 'Mine',
    description: 'By hand.',
    license: 'Apache-2.0',
    category: 'finance',
    homepage: 'https://mine.example.com',
  });
});

it('counts where it says something else than before; what was changed by the portal stays otherwise', async () => {
  await deploy('1.0.0', SAID);
  await edit({ name: 'By hand', license: 'Apache-2.0', short_description: 'Short.' });
  await deploy('1.1.0', { ...SAID, homepage: 'https://new.example.com' });
  expect(await shown()).toMatchObject({
    ...LISTED,
    display_name: 'By hand',
    license: 'Apache-2.0',
    short_description: 'Short.',
    homepage: 'https://new.example.com',
  });
  await deploy('1.1.9', { ...SAID, license: ' \u200e' });
  expect(await shown()).toMatchObject({ license: null });
  await deploy('1.2.0', {
    ...SAID,
    license: undefined,
    homepage: undefined,
    category: undefined,
    name: 'Notes of all',
  });
  expect(await shown()).toMatchObject({
    display_name: 'Notes of all',
    license: null,
    homepage: null,
    category: 'general',
  });
  // A rollback restores the earlier listing.
  expect(await test.deployAndWait(ada, appId, { version: '1.1.0' })).toMatchObject({ status: 'success' });
  expect(await shown()).toMatchObject({
    display_name: 'Note keeper',
    license: 'MIT',
    homepage: 'https://new.example.com',
  });
});

it('is that of the version that a review puts into the marketplace', async () => {
  await deploy('1.0.0', SAID);
  expect((await ada.client.post(`/v1/developer/apps/${appId}/submit`, {})).status).toBe(200);
  await deploy('2.0.0', { ...SAID, name: 'Another' });
  // The list of pending apps already shows another name.
  const approve = (named: object) => test.gateway.backend().post(`/v1/admin/apps/${appId}/approve`, named);
  const { status, body } = await approve({});
  expect([status, body]).toMatchObject([409, { code: 'app.review_content_missing', version: '1.0.0' }]);
  const { version, sha256 } = body as { version: string; sha256: string };
  expect((await approve({ version, sha256 })).status).toBe(200);
  expect(await shown()).toMatchObject({ version: '1.0.0', display_name: 'Note keeper' });
});

it('is cut where the marketplace shows less, and shows nothing that acts on what is around it', async () => {
  const long = `Begins\u202e so.\u0007 ${'x'.repeat(5_000)}`;
  await deploy('1.0.0', { name: 'Notes\u202e\nof two', description: long });
  const { display_name, description, short_description, long_description } = await shown();
  expect([display_name, description.length, short_description.length]).toEqual(['Notes of two', 2_000, 200]);
  expect([long_description.length, description.slice(0, 11), description.at(-1)]).toEqual([
    long.length - 2,
    'Begins so. ',
    '…',
  ]);
});

it.each([
  ['homepage', 'http://notes.example.com'],
  ['homepage', 'javascript:alert(1)'],
  ['homepage', 'https://ada:secret@example.com'],
  ['homepage', 'https://example.com/"><script>'],
  ['license', ''],
  ['license', 'x'.repeat(101)],
  ['category', 'Notes'],
])('is refused with the %s %j', async (key, value) => {
  const { body } = await ada.client.post<{ detail: { loc: string[] }[] }>(`/v1/developer/apps/${appId}/deploys`, {
    ir_dict: { ...documentOf(appId, '1.0.0'), [key]: value },
  });
  expect(body.detail).toMatchObject([{ loc: ['body', 'ir_dict', key] }]);
});
