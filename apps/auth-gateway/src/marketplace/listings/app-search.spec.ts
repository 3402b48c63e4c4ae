import type { MarketplaceApp } from '@platform/contracts';
import { newUuid } from '@platform/platform';
import { createApp, createDeveloper } from '../../testing/apps.js';
import { GatewayTest } from '../../testing/gateway-test.js';

let gateway: GatewayTest;
let developer_id: string;
beforeAll(async () => {
  gateway = await GatewayTest.start();
  developer_id = await createDeveloper(gateway);
});
afterAll(() => gateway.stop());

const app = (app_id: string, changes: Record<string, unknown> = {}) =>
  createApp(gateway, { app_id, developer_id, ...changes });
const search = async (text: string, more = '') =>
  (
    await gateway.client().get<MarketplaceApp[]>(`/v1/marketplace/apps?search=${encodeURIComponent(text)}${more}`)
  ).body.map(({ app_id }) => app_id);
const installs = (app_id: string, count: number) =>
  gateway.service.query('UPDATE app_listings SET install_count = $2 WHERE app_id = $1', [app_id, count]);
const popularity = (app_id: string, count: number) =>
  gateway.service.query('UPDATE app_search SET popularity = app_popularity($2) WHERE app_id = $1', [app_id, count]);

describe('a search', () => {
  beforeAll(async () => {
    await app('planner-description', {
      display_name: 'Almanac',
      description: 'Looks after your calendars and reminders.',
    });
    await app('planner-summary', { display_name: 'Daybook', short_description: 'A calendar for teams' });
    await app('planner-tag', { display_name: 'Agenda', tags: ['calendar', 'time'] });
    await app('planner-name', { display_name: 'Calendar Sync' });
    await app('planner-popular', { display_name: 'Team Calendars' });
    await app('planner-exact', { display_name: 'Calendar' });
    await popularity('planner-popular', 500);
    await popularity('planner-tag', 3);
  });

  it('has the app of that name first, then by where the words stand and how many have it', async () => {
    expect(await search('calendar')).toEqual([
      'planner-exact',
      'planner-popular',
      'planner-name',
      'planner-tag',
      'planner-summary',
      'planner-description',
    ]);
  });

  it.each([
    ['Z\u00e9nith', ['Z\u00e9nith', 'Ze\u0301nith', 'ZÉNITH', 'zenith', 'Zenitj']],
    ['Ｆｕｌｌ ΟΔΥΣΣΕΥΣ', ['full', 'οδυσσευς', 'Οδυσσεύς']],
    ['İstanbulkart', ['istanbulkart', 'İSTANBULKART', 'ISTANBULKART']],
  ])('finds %s however it is written', async (display_name, searches) => {
    const { app_id } = await app(`folded-${newUuid()}`, { display_name });
    for (const text of searches) expect([text, await search(text)]).toEqual([text, [app_id]]);
  });

  it('finds other forms of a word, in whatever case, and every word must be there', async () => {
    expect((await search('CALENDARS')).slice(0, 1)).toEqual(['planner-popular']);
    expect((await search('calendars teams')).slice(0, 2)).toEqual(['planner-popular', 'planner-summary']);
    expect(await search('calendar submarine')).toEqual([]);
  });

  it.each(['calender', 'calandar', 'calendr', 'caledar'])('finds what was meant by %s', async (mistyped) => {
    expect(await search(mistyped)).toEqual([
      'planner-popular',
      'planner-exact',
      'planner-name',
      'planner-tag',
      'planner-summary',
      'planner-description',
    ]);
  });

  it('finds what begins so, and one mistyped word among others', async () => {
    expect(await search('calen')).toContain('planner-exact');
    expect(await search('calender sync')).toEqual(['planner-name']);
    expect(await search('the calender of teams')).toEqual(['planner-popular', 'planner-summary']);
  });

  it('has what is spelled just so before what is spelled like it, on one order of pages', async () => {
    await app('planner-other', { display_name: 'Calandar' });
    const all = await search('calandar');
    expect(all[0]).toBe('planner-other');
    expect(all).toHaveLength(7);
    const pages = await Promise.all(
      [0, 1, 2, 3, 4, 5, 6, 7].map((offset) => search('calandar', `&limit=1&offset=${offset}`)),
    );
    expect(pages.flat()).toEqual(all);
    const paged = await Promise.all([1, 2, 3].map((page) => search('calendar', `&per_page=3&page=${page}`)));
    expect(paged.flat()).toEqual(await search('calendar'));
  });

  it('keeps to a category, by whatever spelling', async () => {
    await app('planner-work', { display_name: 'Calendar for Work', category: 'productivity' });
    for (const spelling of ['productivity', 'Productivity', 'PROJECT management']) {
      expect(await search('calendar', `&category=${encodeURIComponent(spelling)}`)).toEqual(['planner-work']);
      expect(await search('calender', `&category=${encodeURIComponent(spelling)}`)).toEqual(['planner-work']);
    }
    expect(await search('calendar', '&category=finance')).toEqual([]);
    expect(await search('work', '&category=productivity')).toEqual(['planner-work']);
    expect(await search('the', '&category=productivity')).toEqual([]);
    expect(await search('#productivity')).toEqual(await search('productivity'));
  });

  it('can be sorted like any list, also when it is mistyped', async () => {
    await installs('planner-description', 70);
    await installs('planner-name', 60);
    expect((await search('calendar', '&sort=installs')).slice(0, 2)).toEqual(['planner-description', 'planner-name']);
    expect((await search('calendr', '&sort=installs')).slice(0, 2)).toEqual(['planner-description', 'planner-name']);
    expect(await search('calendar sync', '&sort=name')).toEqual(['planner-name']);
    expect(await search('submarine', '&sort=name')).toEqual([]);
  });

  it.each([
    ['nothing but stop words', 'the of and'],
    ['operators', `'); DROP TABLE apps; --`],
    ['a tsquery', `'a' & !'b' | (c:*`],
    ['wildcards', '%%% ___'],
    ['punctuation', '!!! ??? \\ \' "'],
    ['another script', '日历 календарь'],
    ['one letter', 'q'],
    ['200 letters', 'q'.repeat(200)],
  ])('of %s finds nothing, and fails at nothing', async (_what, text) => {
    expect(await search(text)).toEqual([]);
    expect(await search(text, '&sort=newest')).toEqual([]);
  });

  it('of blanks is none', async () => {
    expect(await search('   ')).toEqual(
      (await gateway.client().get<MarketplaceApp[]>('/v1/marketplace/apps')).body.map(({ app_id }) => app_id),
    );
    expect((await gateway.client().get(`/v1/marketplace/apps?search=${'q'.repeat(201)}`)).status).toBe(422);
  });

  it('finds an app whose name is made of stop words, by its whole name', async () => {
    await app('stop-words', { display_name: 'The Who' });
    expect(await search('the who')).toEqual(['stop-words']);
  });
});

describe('what can be found', () => {
  it('changes with the app, and what is not listed is never found', async () => {
    const find = () => search('xylophone');
    const { app_id } = await app('changing', { display_name: 'Xylophone', status: 'draft' });
    const change = (columns: string) => gateway.service.query(`UPDATE apps SET ${columns} WHERE app_id = $1`, [app_id]);
    expect(await find()).toEqual([]);
    await change("status = 'active'");
    expect(await find()).toEqual([app_id]);
    await change("display_name = 'Marimba'");
    expect(await find()).toEqual([]);
    expect(await search('marimba')).toEqual([app_id]);
    await change("tags = '{xylophone}'");
    expect(await find()).toEqual([app_id]);
    await change("status = 'suspended'");
    expect(await find()).toEqual([]);
    await change("status = 'active', system = true");
    expect(await find()).toEqual([]);
    await change('system = false');
    expect(await find()).toEqual([app_id]);
  });

  it('takes whatever somebody calls their app', async () => {
    await app('odd', {
      display_name: 'q'.repeat(5_000),
      tags: ['', ' ', "'", 'é'.repeat(3_000)],
      category: '',
      description: '\u{1f511} '.repeat(3_000),
    });
    expect(await search('q'.repeat(200))).toEqual(['odd']);
  });

  it('remembers how popular an app is by steps', async () => {
    const { app_id } = await app('stepwise');
    const steps: number[] = [];
    for (const count of [0, 1, 2, 3, 7, 1_000, 1_000_000, 2_000_000_000]) {
      const [row] = await gateway.service.query<{ popularity: number }>(
        'SELECT app_popularity($1)::int AS popularity',
        [count],
      );
      steps.push(row?.popularity ?? -1);
    }
    expect(steps).toEqual([0, 8, 12, 16, 24, 79, 159, 247]);
    expect(await search('stepwise')).toEqual([app_id]);
  });
});
