import type { EntityManager } from 'typeorm';
import { TenantData } from './tenant-data.js';

const recorded: unknown[][] = [];
const manager = (result: unknown) =>
  ({
    query: (...call: unknown[]) => {
      recorded.push(call);
      return Promise.resolve(result);
    },
  }) as unknown as EntityManager;

it('binds the tenant wherever the statement names it', async () => {
  const rows = [{ id: 1 }];
  const tenant = new TenantData(manager(rows), 'acme');
  expect(await tenant.query('SELECT * FROM a WHERE tenant_id = $tenant AND id = $1 AND owner = $tenant', ['x'])).toBe(
    rows,
  );
  expect(recorded.at(-1)).toEqual(['SELECT * FROM a WHERE tenant_id = $2 AND id = $1 AND owner = $2', ['x', 'acme']]);
});

it('returns the rows of UPDATE and DELETE too', async () => {
  expect(
    await new TenantData(manager([[{ id: 1 }], 1]), 'acme').query('UPDATE a SET b = 1 WHERE tenant_id = $tenant'),
  ).toEqual([{ id: 1 }]);
  expect(await new TenantData(manager([]), 'acme').query('SELECT 1 WHERE $tenant = 1')).toEqual([]);
});

it('does not compile a statement without a tenant', () => {
  const tenant = new TenantData(manager([]), 'acme');
  const column = 'id' as string;
  void tenant.query(`SELECT ${column} FROM a WHERE tenant_id = $tenant`);
  // @ts-expect-error: the statement has no $tenant
  void tenant.query('SELECT * FROM a');
  // @ts-expect-error: the statement has no $tenant
  void tenant.query(`SELECT ${column} FROM a`);
});
