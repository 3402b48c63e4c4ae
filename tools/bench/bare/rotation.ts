import { Pool } from 'pg';

const pool = new Pool({
  connectionString: process.env['DATABASE_URL'],
  max: Number(process.env['DATABASE_POOL_SIZE']),
});
const ids = (await pool.query<{ id: string }>('SELECT id FROM bench.sessions ORDER BY id')).rows.map(({ id }) => id);
let next = 0;

/** Runs only `UPDATE … RETURNING` by primary key, with a pool of a service's size. */
export const rotate = (): Promise<unknown> =>
  pool.query(
    `UPDATE bench.sessions SET refresh_counter = refresh_counter + 1, last_seen_at = now() WHERE id = $1
     RETURNING user_id, refresh_counter`,
    [ids[next++ % ids.length]],
  );
