import { until } from '@platform/testing';
import { ReplicasTest } from './testing/replicas-test.js';
import { NOTE, SteadyLoad } from './testing/steady-load.js';

describe('a rolling restart', () => {
  let test: ReplicasTest;
  beforeAll(async () => (test = await ReplicasTest.start()), 180_000); // images are unpacked first
  afterAll(() => test.stop());

  it('loses no request and no event while each process is replaced by a new one', async () => {
    const { administrator, developer, platform } = test;
    const appId = await test.app();
    const person = await test.person();
    const before = platform.failures.length;
    const load = await SteadyLoad.during({ url: test.url, administrator, developer, person, appId }, () => platform.replaceAll());
    expect([load.failures, platform.failures.slice(before)]).toEqual([[], []]);
    expect(load.rounds).toBeGreaterThan(30);

    const notes = `SELECT unnest(ARRAY[count(*)::int, count(DISTINCT data -> 'number')::int]) AS value FROM ext_host.documents WHERE app_id = $1`;
    expect(await test.column(notes, [appId])).toEqual([load.rounds, load.rounds]);
    const given = 'SELECT count(*)::int AS value FROM gateway.ledger_entries WHERE description = $1';
    expect(await test.column(given, [NOTE])).toEqual([load.rounds]);
    const events = () =>
      test.column<string>(
        "SELECT position::text AS value FROM gateway.platform_events WHERE user_id = $1 AND type LIKE 'marketplace.app\\_%' ORDER BY position",
        [person.id],
      );
    await until(() => load.receivedEventIds.length >= load.installChanges);
    await load.stop();
    expect(await events()).toHaveLength(load.installChanges);
    expect(load.receivedEventIds).toEqual(await events());
    const sessions = 'SELECT revoked_reason AS value FROM gateway.sessions WHERE user_id = $1';
    expect(await test.column(sessions, [person.id])).toEqual([null]);
    await until(async () => (await test.column('SELECT count(*)::int AS value FROM gateway.outbox'))[0] === 0);
  }, 120_000);
});
