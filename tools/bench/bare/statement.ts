import { Pool } from 'pg';
import { serve } from './work.js';

const {
  DATABASE_URL,
  DATABASE_POOL_SIZE,
  STATEMENT = '',
  VALUES = '',
  TENANT_OF_CONNECTION,
  TENANT_OF_TRANSACTION,
} = process.env;
const setting = TENANT_OF_CONNECTION ? ` -c app.tenant_id=${TENANT_OF_CONNECTION}` : '';
const options = `-c search_path=isolation,gateway,public${setting}`;
const pool = new Pool({ connectionString: DATABASE_URL, max: Number(DATABASE_POOL_SIZE), options });
const values = JSON.parse(VALUES) as string[][];
let next = 0;

/** Runs only one statement, prepared once per connection. */
async function alone(connection: Pick<Pool, 'query'> = pool): Promise<void> {
  const { rowCount } = await connection.query({
    name: 'measured',
    text: STATEMENT,
    values: values[next++ % values.length],
  });
  if (!rowCount) throw new Error('The statement returned no row.');
}

/**
 * Runs the statement where a policy needs the tenant; the first two commands share a round trip.
 */
async function inTransaction(): Promise<void> {
  const client = await pool.connect();
  await client.query(`BEGIN; SET LOCAL app.tenant_id = '${TENANT_OF_TRANSACTION}'`);
  await alone(client);
  await client.query('COMMIT');
  client.release();
}

serve(TENANT_OF_TRANSACTION ? inTransaction : () => alone());
