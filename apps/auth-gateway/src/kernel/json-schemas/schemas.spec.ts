import { appDocumentSchema } from '@platform/app-document';
import { eventsSchema } from '@platform/contracts';
import { readFile } from 'node:fs/promises';
import { GatewayTest } from '../../testing/gateway-test.js';

let gateway: GatewayTest;
beforeAll(async () => {
  gateway = await GatewayTest.start();
});
afterAll(() => gateway.stop());

const PATH = '/v1/schemas/app-document.json';

describe('GET /v1/schemas/app-document.json', () => {
  it('gives the schema to everybody, pages of other sites included', async () => {
    const { status, headers, body } = await gateway.client().get<object>(PATH);
    expect([
      status,
      headers.get('content-type'),
      headers.get('access-control-allow-origin'),
      headers.get('cache-control'),
    ]).toEqual([
      200,
      'application/schema+json; charset=utf-8',
      '*',
      'public, max-age=3600, stale-while-revalidate=86400',
    ]);
    expect(body).toEqual(appDocumentSchema());
  });

  it('says when it is still the same', async () => {
    const { headers } = await gateway.client().get(PATH);
    const ask = (etag: string) =>
      gateway.client().get(PATH, { headers: { 'If-None-Match': etag, 'Cache-Control': 'max-age=0' } });
    expect((await ask(headers.get('etag') ?? '')).status).toBe(304);
    expect((await ask('"other"')).status).toBe(200);
  });
});

describe('GET /v1/schemas/events.json', () => {
  it('gives the schema of every event, and the documentation names each', async () => {
    const { status, body } = await gateway.client().get<{ $defs: Record<string, object> }>('/v1/schemas/events.json');
    expect([status, body]).toEqual([200, eventsSchema()]);
    const page = await readFile('docs/events.md', 'utf8');
    expect(Object.keys(body.$defs).filter((type) => !page.includes(`| \`${type}\` `))).toEqual([]);
  });
});
