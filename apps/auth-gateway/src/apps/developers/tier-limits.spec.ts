import type {
  AppAnalyticsResponse,
  AppResponse,
  CallResponse,
  DeveloperConfigResponse,
  DeveloperProfileResponse,
} from '@platform/contracts';
import { cleanEnv } from 'envalid';
import { newAppId, tool } from '../../testing/apps.js';
import { createDraftApp, newDeveloper } from '../../testing/developers.js';
import { GatewayTest } from '../../testing/gateway-test.js';
import { createRegisteredApp } from '../../testing/registered-apps.js';
import { RegistryTest } from '../../testing/registry-test.js';
import { FakeRunHost } from '../../testing/fake-run-host.js';
import { tierLimits } from '../../tier-limits.js';

const NONE = { max_apps: null, analytics_days: 365, requests_per_minute: null };

describe('the variable', () => {
  const parse = (DEVELOPER_TIER_LIMITS: string) => {
    let message = '';
    const reporter = ({ errors }: { errors: Partial<Record<string, Error>> }) =>
      (message = Object.values(errors)[0]?.message ?? '');
    const parsed = cleanEnv({ DEVELOPER_TIER_LIMITS }, { DEVELOPER_TIER_LIMITS: tierLimits() }, { reporter });
    return message ? { message } : { limits: { ...parsed.DEVELOPER_TIER_LIMITS } };
  };

  it('takes none, standard, and limits of one tier or more, of which those that it leaves out are none', () => {
    expect(parse('none').limits).toEqual({ explorer: NONE, indie: NONE, studio: NONE, partner: NONE });
    expect(parse('standard').limits).toEqual({
      explorer: { max_apps: 1, analytics_days: 7, requests_per_minute: 100 },
      indie: { max_apps: 3, analytics_days: 30, requests_per_minute: 500 },
      studio: { max_apps: 10, analytics_days: 90, requests_per_minute: 2_000 },
      partner: { max_apps: null, analytics_days: 365, requests_per_minute: 5_000 },
    });
    expect(parse('explorer:apps=2+days=14, indie:requests=300').limits).toEqual({
      explorer: { ...NONE, max_apps: 2, analytics_days: 14 },
      indie: { ...NONE, requests_per_minute: 300 },
      studio: NONE,
      partner: NONE,
    });
  });

  it.each([
    ['unlimited', 'expected standard, none, or'],
    ['gold:apps=1', 'there is no tier "gold"'],
    ['explorer:apps=1,explorer:days=7', '"explorer" is listed twice'],
    ['explorer:apps=1+days=7+apps=2', 'a limit of "explorer" is listed twice'],
    ['explorer:users=1', 'the limits are apps, days, requests'],
    ['explorer:toString=1', 'the limits are apps, days, requests'],
    ['explorer:apps=0', 'expected a whole number from 1 to 1000000 for apps'],
    ['explorer:apps=1.5', 'expected a whole number'],
    ['explorer:days=366', 'from 1 to 365 for days'],
    ['explorer:requests=', 'expected a whole number'],
  ])('refuses %j', (text, message) => {
    expect(parse(text).message).toContain(message);
  });
});

describe('a platform that sets none', () => {
  let host: FakeRunHost;
  let platform: RegistryTest;
  beforeAll(async () => {
    host = await FakeRunHost.start();
    platform = await RegistryTest.start({ EXT_WEBHOOK_HOST_URL: host.url });
  });
  afterAll(async () => {
    await platform.stop();
    await host.stop();
  });

  it('lets a developer of the first tier make apps, and see how they were used in a year', async () => {
    const developer = await newDeveloper(platform.gateway, 'explorer');
    const apps = await Promise.all(Array.from({ length: 12 }, () => createDraftApp(developer)));
    expect((await developer.client.get<AppResponse[]>('/v1/developer/apps')).body).toHaveLength(12);
    expect((await developer.client.get<DeveloperProfileResponse>('/v1/developer/profile')).body).toMatchObject({
      tier: 'explorer',
      max_apps: null,
      apps_count: 12,
    });
    const { status, body } = await developer.client.get<AppAnalyticsResponse>(
      `/v1/developer/apps/${apps[0]?.app_id}/analytics?days=365`,
    );
    expect([status, body.days]).toEqual([200, 365]);
  });

  it('counts no calls of the apps of a developer, and says in the table that there are no limits', async () => {
    const { user: developer } = await newDeveloper(platform.gateway, 'explorer');
    const user = await platform.gateway.user();
    const client = await platform.gateway.signIn(user);
    const app = { tools: [tool('list_notes')], developer_id: developer.id, document: { app: { id: 'notes' } } };
    const { app_id: appId } = await createRegisteredApp(platform, app);
    await client.post(`/v1/marketplace/apps/${appId}/install`, {});
    const calls = Array.from({ length: 50 }, () => ({ function: 'list_notes', params: {} }));
    const answer = await client.post<CallResponse[]>(`/v1/extensions/${appId}/batch`, { user_id: user.id, calls });
    expect([answer.status, answer.body.filter(({ status }) => status === 'success')]).toMatchObject([
      200,
      { length: 50 },
    ]);
    const counted = "SELECT key FROM rate_limits WHERE key LIKE 'app-requests%'";
    expect(await platform.gateway.service.query(counted)).toEqual([]);
    const { body } = await platform.gateway.backend().get<DeveloperConfigResponse>('/v1/admin/developer/config');
    expect(body.tiers).toMatchObject(
      [NONE, NONE, NONE, NONE].map((limits, at) => ({ ...limits, tokens_per_year: [0, 9_000, 29_000, 79_000][at] })),
    );
  });
});

describe('a platform that limits some', () => {
  let gateway: GatewayTest;
  beforeAll(async () => (gateway = await GatewayTest.start({ DEVELOPER_TIER_LIMITS: 'explorer:apps=2' })));
  afterAll(() => gateway.stop());

  it('refuses the third app of that tier, also of 10 at once, and none of another', async () => {
    const make = async (tier: 'explorer' | 'indie') => {
      const { client } = await newDeveloper(gateway, tier);
      const request = () => ({
        app_id: newAppId(),
        name: 'Invoices',
        short_description: 'Makes invoices',
        category: 'finance',
      });
      const answers = await Promise.all(Array.from({ length: 10 }, () => client.post('/v1/developer/apps', request())));
      return answers.map(({ status, body }) => (status === 201 ? 201 : (body as { code: string }).code)).sort();
    };
    expect(await make('explorer')).toEqual([201, 201, ...Array.from({ length: 8 }, () => 'app.too_many')]);
    expect(await make('indie')).toEqual(Array.from({ length: 10 }, () => 201));
  });
});
