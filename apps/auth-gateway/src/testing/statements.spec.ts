import { newId, runInContext, type RequestContext } from '@platform/platform';
import type { Pool, PoolClient } from 'pg';
import { DataSource } from 'typeorm';
import { GatewayTest } from './gateway-test.js';
import { Statements } from './statements.js';

let gateway: GatewayTest;
let statements: Statements;
beforeAll(async () => {
  gateway = await GatewayTest.start();
  statements = new Statements();
});
afterAll(() => {
  statements.stop();
  return gateway.stop();
});

it('notes a statement for the request that waited for a connection', async () => {
  const requestId = newId('req');
  const pool = (gateway.service.app.get(DataSource).driver as unknown as { master: Pool }).master;
  const held: PoolClient[] = [];
  while (held.length < pool.options.max) held.push(await pool.connect());
  const answer = runInContext({ requestId } as RequestContext, () => pool.query<{ one: number }>('SELECT 1 AS one'));
  for (const client of held) client.release();
  expect((await answer).rows).toEqual([{ one: 1 }]);
  expect(statements.ofRequest(requestId)).toEqual(['SELECT 1 AS one']);
});
