import type { AppLogsResponse } from '@platform/contracts';
import { runInTurn } from '@platform/persistence';
import { newId } from '@platform/platform';
import { until } from '@platform/testing';
import { HostTest } from '../../testing/host.js';
import { HostAppLogsService, KEPT_LINES_PER_APP, type NewLogLine } from './host-app-logs.service.js';

let host: HostTest;
let logs: HostAppLogsService;
beforeAll(async () => {
  host = await HostTest.start();
  logs = host.service.app.get(HostAppLogsService);
});
afterAll(() => host.stop());

const line = (appId: string, message: string): NewLogLine => ({
  appId,
  at: new Date(),
  level: 'info',
  message,
  kind: 'function',
  handler: 'main',
  requestId: 'req-1',
  userId: null,
});
const read = async (appId: string, query = '') =>
  (await host.backend().get<AppLogsResponse>(`/v1/internal/apps/${appId}/logs${query}`)).body;
const messages = ({ items }: AppLogsResponse) => items.map(({ message }) => message);
const written = (appId: string, count: number) =>
  until(async () => (await read(appId, '?limit=500')).items.length === count);

describe('the log of an app', () => {
  it('gives the latest lines, and those after a line, of this app alone', async () => {
    const [appId, other] = [newId('app'), newId('app')];
    for (const message of ['one', 'two', 'three']) logs.writeLine(line(appId, message));
    logs.writeLine(line(other, 'not this'));
    await written(appId, 3);
    const latest = await read(appId, '?limit=2');
    expect(messages(latest)).toEqual(['two', 'three']);
    expect(latest.items[0]).toEqual({
      id: expect.any(String),
      at: expect.any(String),
      level: 'info',
      message: 'two',
      kind: 'function',
      handler: 'main',
      request_id: 'req-1',
      user_id: null,
    });
    expect(messages(await read(appId, `?after=${latest.items[0]?.id}`))).toEqual(['three']);
    expect(await read(appId, `?after=${latest.next}`)).toEqual({ items: [], next: latest.next });
    expect(await read(newId('app'))).toEqual({ items: [], next: null });
  });

  it('is filtered by level, kind, handler and request', async () => {
    const appId = newId('app');
    logs.writeLine(line(appId, 'plain'));
    logs.writeLine({ ...line(appId, 'bad'), level: 'error' });
    logs.writeLine({ ...line(appId, 'hooked'), kind: 'webhook', handler: 'in', requestId: 'req-2' });
    logs.writeLine({ ...line(appId, 'bad hook'), level: 'error', kind: 'webhook', handler: 'in' });
    await written(appId, 4);
    const of = async (query: string) => messages(await read(appId, query));
    expect(await of('?level=error')).toEqual(['bad', 'bad hook']);
    expect(await of('?kind=webhook')).toEqual(['hooked', 'bad hook']);
    expect(await of('?level=error&kind=webhook&handler=in')).toEqual(['bad hook']);
    expect(await of('?request_id=req-2')).toEqual(['hooked']);
    expect(await of('?level=warning')).toEqual([]);
    expect(await of('?level=error&limit=1')).toEqual(['bad hook']);
    const { items } = await read(appId, '?level=error');
    expect(await of(`?level=error&after=${items[0]?.id}`)).toEqual(['bad hook']);
    for (const bad of ['level=fatal', 'kind=panel']) {
      expect((await host.backend().get(`/v1/internal/apps/${appId}/logs?${bad}`)).status).toBe(422);
    }
  });

  it('is waited for, and answers with the line that came', async () => {
    const appId = newId('app');
    const waiting = read(appId, '?after=0&wait_seconds=20');
    logs.writeLine(line(appId, 'at last'));
    expect(messages(await waiting)).toEqual(['at last']);
  });

  it('answers at once when nobody waits any more', async () => {
    const caller = new AbortController();
    const waiting = logs.readLines(newId('app'), { limit: 10, wait_seconds: 20 }, caller.signal);
    caller.abort();
    expect(await waiting).toEqual({ items: [], next: null });
  });

  it('takes any text', async () => {
    const appId = newId('app');
    logs.writeLine(line(appId, 'NUL \0 and half \ud800 a pair 😀'));
    await written(appId, 1);
    expect(messages(await read(appId))).toEqual(['NUL \ufffd and half \ufffd a pair 😀']);
  });

  it('keeps so many lines of an app, for so long', async () => {
    const appId = newId('app');
    await host.service.query(
      `INSERT INTO app_logs (app_id, at, level, message, kind, handler)
       SELECT $1, now(), 'info', 'old', 'function', 'main' FROM generate_series(1, $2)`,
      [appId, KEPT_LINES_PER_APP],
    );
    for (let at = 0; at < 1_000; at++) logs.writeLine(line(appId, 'new'));
    const counts = async () =>
      (
        await host.service.query<{ all: number; new: number }>(
          `SELECT count(*)::int AS all, count(*) FILTER (WHERE message = 'new')::int AS new FROM app_logs WHERE app_id = $1`,
          [appId],
        )
      )[0];
    await until(async () => {
      const { all, new: added } = (await counts()) ?? {};
      return all === KEPT_LINES_PER_APP && added === 1_000;
    });
    await host.service.query("UPDATE app_logs SET at = now() - interval '15 days' WHERE app_id = $1", [appId]);
    expect(await runInTurn([() => logs.deleteOldLines()])).toBe(true);
    expect(await counts()).toEqual({ all: 0, new: 0 });
  });

  it('is for the gateway, and refuses what it cannot read', async () => {
    expect((await host.service.client().get('/v1/internal/apps/notes/logs')).status).toBe(401);
    const answer = await host.backend().get('/v1/internal/apps/notes/logs?after=abc');
    expect(answer).toMatchObject({ status: 400, body: { code: 'logs.after_invalid' } });
    expect((await host.backend().get('/v1/internal/apps/notes/logs?wait_seconds=21')).status).toBe(422);
  });
});
