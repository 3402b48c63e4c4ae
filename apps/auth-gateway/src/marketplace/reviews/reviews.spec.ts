import type { MarketplaceApp, ReviewPageResponse, ReviewResponse, ReviewVoteResponse } from '@platform/contracts';
import type { TestClient } from '@platform/testing';
import { RegistryClient } from '../../kernel/peers/registry/registry.client.js';
import { createApp, type TestApp } from '../../testing/apps.js';
import { RegistryTest } from '../../testing/registry-test.js';
import { createRegisteredApp } from '../../testing/registered-apps.js';
import { createTenant } from '../../testing/tenants.js';

let platform: RegistryTest;
let app: TestApp;
beforeAll(async () => (platform = await RegistryTest.start()));
beforeEach(async () => (app = await createRegisteredApp(platform)));
afterAll(() => platform.stop());

const BODY = 'Saves me an hour every Monday.';
const query = <Row>(sql: string, values: unknown[] = []) => platform.gateway.service.query<Row>(sql, values);

/** A user with the app installed. */
async function holder(changes: Record<string, unknown> = {}, { app_id } = app): Promise<TestClient> {
  const { id } = await platform.gateway.user(changes);
  const client = platform.gateway.actingFor(id);
  expect((await client.post(`/v1/marketplace/apps/${app_id}/install`, {})).status).toBe(200);
  return client;
}
const review = (client: TestClient, body: Record<string, unknown> = {}, { app_id } = app) =>
  client.post<ReviewResponse>(`/v1/marketplace/apps/${app_id}/reviews`, { rating: 5, body: BODY, ...body });
const list = async (parameters = '', client = platform.gateway.client()) =>
  (await client.get<ReviewPageResponse>(`/v1/marketplace/apps/${app.app_id}/reviews${parameters}`)).body;
const vote = (client: TestClient, id: string, body: object = {}) =>
  client.post<ReviewVoteResponse>(`/v1/marketplace/reviews/${id}/vote`, body);
const facts = async () => {
  const { avg_rating, rating, review_count } = (
    await platform.gateway.client().get<MarketplaceApp>(`/v1/marketplace/apps/${app.app_id}`)
  ).body;
  return { avg_rating, rating, review_count };
};

describe('a review', () => {
  it('is of who has the app, one of each, and counts', async () => {
    const client = await holder({ nickname: 'reviewer-one', first_name: 'Secret' });
    const { status, body } = await review(client, { rating: 4, title: 'Good' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^rev_/),
      app_id: app.app_id,
      user_nickname: 'reviewer-one',
      rating: 4,
      title: 'Good',
      body: BODY,
      helpful_count: 0,
      my_vote: null,
      is_mine: true,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(await review(client)).toMatchObject({ status: 409, body: { code: 'review.exists' } });
    expect(await list()).toEqual({
      items: [Object.assign({}, body, { is_mine: false })],
      total: 1,
      page: 1,
      per_page: 20,
      avg_rating: 4,
    });
    expect((await list('', client)).items).toEqual([body]);
    await review(await holder(), { rating: 5 });
    await review(await holder(), { rating: 5 });
    expect(await facts()).toEqual({ avg_rating: 4.67, rating: 4.67, review_count: 3 });
  });

  it('may be of somebody who had it, of any tenant, and of what was installed elsewhere a moment ago', async () => {
    const client = await holder();
    await client.delete(`/v1/marketplace/apps/${app.app_id}/install`);
    expect((await review(client)).status).toBe(201);
    const { id: tenant_id } = await createTenant(platform.gateway.backend());
    expect((await review(await holder({ tenant_id }))).status).toBe(201);
    const elsewhere = await platform.gateway.user();
    await platform.gateway.service.app.get(RegistryClient).install(elsewhere.id, app.app_id);
    expect((await review(platform.gateway.actingFor(elsewhere.id))).status).toBe(201);
  });

  it('is refused to who never had the app, to its developer, and for what is not listed', async () => {
    const stranger = platform.gateway.actingFor((await platform.gateway.user()).id);
    expect(await review(stranger)).toMatchObject({ status: 403, body: { code: 'review.not_installed' } });
    const developer = platform.gateway.actingFor(app.developer_id ?? '');
    await developer.post(`/v1/marketplace/apps/${app.app_id}/install`, {});
    expect(await review(developer)).toMatchObject({ status: 403, body: { code: 'review.own_app' } });
    const client = await holder();
    for (const unlisted of [
      { app_id: 'unknown' },
      await createApp(platform.gateway, { status: 'draft' }),
    ] as TestApp[]) {
      expect(await review(client, {}, unlisted)).toMatchObject({ status: 404, body: { code: 'app.not_found' } });
    }
    expect((await platform.gateway.client().get('/v1/marketplace/apps/unknown/reviews')).status).toBe(404);
    expect((await review(platform.gateway.client())).status).toBe(401);
    expect(await facts()).toEqual({ avg_rating: 0, rating: 0, review_count: 0 });
  });

  it.each([
    ['no rating', { rating: undefined }, 'rating', 'missing'],
    ['a rating of 0', { rating: 0 }, 'rating', 'greater_than_equal'],
    ['a rating of 6', { rating: 6 }, 'rating', 'less_than_equal'],
    ['a rating of 4.5', { rating: 4.5 }, 'rating', 'int_type'],
    ['a short body', { body: 'x'.repeat(19) }, 'body', 'string_too_short'],
    ['a long body', { body: 'x'.repeat(5_001) }, 'body', 'string_too_long'],
    ['a long title', { title: 'x'.repeat(201) }, 'title', 'string_too_long'],
    ['a title of two lines', { title: 'a\nb' }, 'title', 'value_error'],
    ['helpful_count', { helpful_count: 99 }, 'helpful_count', 'extra_forbidden'],
  ])('is refused with %s', async (_what, changes, key, type) => {
    expect(await review(await holder(), changes)).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', key], type }] },
    });
  });

  it('is text, whatever somebody writes', async () => {
    const body = `<script>alert(1)</script>\n'; DROP TABLE reviews; -- ${'\u{1f600}'.repeat(20)}`;
    expect((await review(await holder(), { body, title: '<b>"&' })).body).toMatchObject({ body, title: '<b>"&' });
  });

  it('is changed and deleted by its author alone', async () => {
    const client = await holder();
    const { body: made } = await review(client, { rating: 2, title: 'Meh' });
    const path = `/v1/marketplace/reviews/${made.id}`;
    const { body: changed } = await client.put<ReviewResponse>(path, { rating: 5, body: null });
    expect(changed).toMatchObject({ rating: 5, title: 'Meh', body: BODY, created_at: made.created_at });
    expect(await facts()).toMatchObject({ avg_rating: 5, review_count: 1 });
    const admin = await platform.gateway.signIn(await platform.gateway.user({ role: 'admin' }));
    for (const other of [await holder(), admin]) {
      const refused = { status: 403, body: { code: 'review.not_yours' } };
      expect(await other.put(path, { rating: 1 })).toMatchObject(refused);
      expect(await other.delete(path)).toMatchObject(refused);
    }
    expect((await client.put(path, { rating: 9 })).status).toBe(422);
    expect(await client.delete(path)).toMatchObject({ status: 200, body: { id: made.id, status: 'deleted' } });
    const missing = { status: 404, body: { code: 'review.not_found' } };
    for (const answer of [await client.put(path, {}), await client.delete(path), await vote(await holder(), made.id)]) {
      expect(answer).toMatchObject(missing);
    }
    expect(await facts()).toEqual({ avg_rating: 0, rating: 0, review_count: 0 });
    expect((await review(client)).status).toBe(201);
  });

  it('goes with its author, and is then in no count', async () => {
    const [leaving, staying] = [await platform.gateway.user({ nickname: 'leaving' }), await holder()];
    const client = platform.gateway.actingFor(leaving.id);
    await client.post(`/v1/marketplace/apps/${app.app_id}/install`, {});
    await review(client, { rating: 1 });
    const { body: kept } = await review(staying, { rating: 5 });
    await vote(client, kept.id);
    expect((await platform.gateway.backend().delete(`/v1/users/${leaving.id}?permanent=true`)).status).toBe(200);
    expect(await list()).toMatchObject({ items: [{ id: kept.id, helpful_count: 0 }], total: 1, avg_rating: 5 });
  });
});

describe('votes', () => {
  it('count once for each, can be changed, and show to who gave them', async () => {
    const { body: made } = await review(await holder());
    const [one, two] = [await holder(), platform.gateway.actingFor((await platform.gateway.user()).id)];
    expect(await vote(one, made.id)).toMatchObject({ status: 200, body: { id: made.id, helpful_count: 1 } });
    expect((await vote(one, made.id, { helpful: true })).body.helpful_count).toBe(1);
    expect((await vote(two, made.id, { helpful: false })).body.helpful_count).toBe(1);
    expect((await vote(two, made.id, { helpful: null })).body.helpful_count).toBe(2);
    expect((await vote(one, made.id, { helpful: false })).body.helpful_count).toBe(1);
    const myVote = async (client: TestClient) => (await list('', client)).items[0]?.my_vote;
    expect([await myVote(one), await myVote(two), await myVote(platform.gateway.client())]).toEqual([
      false,
      true,
      null,
    ]);
  });

  it('are not for one’s own, and not for nobody', async () => {
    const client = await holder();
    const { body: made } = await review(client);
    expect(await vote(client, made.id)).toMatchObject({ status: 403, body: { code: 'review.own' } });
    expect(await vote(await holder(), 'rev_unknown')).toMatchObject({
      status: 404,
      body: { code: 'review.not_found' },
    });
    expect((await vote(platform.gateway.client(), made.id)).status).toBe(401);
    expect((await vote(await holder(), made.id, { helpful: 'yes' })).status).toBe(422);
  });
});

describe('the list', () => {
  it('is sorted as asked, in pages that fit together', async () => {
    const made: ReviewResponse[] = [];
    for (const rating of [3, 5, 1, 5]) made.push((await review(await holder(), { rating })).body);
    const [a, b, c, d] = made.map(({ id }) => id) as [string, string, string, string];
    const voters = [await holder(), await holder()];
    for (const voter of voters) await vote(voter, a);
    await vote(voters[0] as TestClient, c);
    const ids = async (parameters: string) => (await list(parameters)).items.map(({ id }) => id);
    expect(await ids('')).toEqual([a, c, d, b]);
    expect(await ids('?sort=helpful')).toEqual([a, c, d, b]);
    expect(await ids('?sort=newest')).toEqual([d, c, b, a]);
    expect(await ids('?sort=oldest')).toEqual([a, b, c, d]);
    expect(await ids('?sort=highest')).toEqual([d, b, a, c]);
    expect(await ids('?sort=lowest')).toEqual([c, a, b, d]);
    expect(await ids('?sort=newest&per_page=3')).toEqual([d, c, b]);
    expect(await ids('?sort=newest&per_page=3&page=2')).toEqual([a]);
    expect(await list('?page=9')).toMatchObject({ items: [], total: 4, page: 9 });
    for (const wrong of ['sort=best', 'page=0', 'per_page=51']) {
      expect((await platform.gateway.client().get(`/v1/marketplace/apps/${app.app_id}/reviews?${wrong}`)).status).toBe(
        422,
      );
    }
  });
});

describe('at once', () => {
  it('one of many reviews of a user wins, and every count is right', async () => {
    const clients = await Promise.all(Array.from({ length: 8 }, () => holder()));
    const answers = await Promise.all(
      clients.flatMap((client, at) => [1, 2, 3].map((n) => review(client, { rating: 1 + ((at + n) % 5) }))),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(8);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(16);
    const made = answers.filter(({ status }) => status === 201).map(({ body }) => body);
    await Promise.all(
      clients.flatMap((client, at) => [
        client.put(`/v1/marketplace/reviews/${made[at]?.id}`, { rating: 1 }),
        client.put(`/v1/marketplace/reviews/${made[at]?.id}`, { rating: 5 }),
        ...(at < 3 ? [client.delete(`/v1/marketplace/reviews/${made[at]?.id}`)] : []),
        ...made.map(({ id }) => vote(client, id, { helpful: at % 2 === 0 })),
        ...made.map(({ id }) => vote(client, id)),
      ]),
    );
    const [rows] = await query<{ reviews: number; rating: string; votes: boolean }>(
      `SELECT count(*)::int AS reviews, round(avg(rating), 2) AS rating,
         bool_and(helpful_count = (SELECT count(*) FROM review_votes v WHERE v.review_id = r.id AND v.helpful)) AS votes
       FROM reviews r WHERE app_id = $1`,
      [app.app_id],
    );
    expect(rows).toMatchObject({ reviews: 5, votes: true });
    expect(await facts()).toEqual({ avg_rating: Number(rows?.rating), rating: Number(rows?.rating), review_count: 5 });
    expect(platform.gateway.service.logLines.filter((line) => line.includes('unexpected error'))).toEqual([]);
  });
});
