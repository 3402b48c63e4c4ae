import { generateKeyPairSync, sign } from 'node:crypto';
import { Pool } from 'pg';
import { serve } from './work.js';

/** What a refresh cannot do without: the rotation in the database, and one RS256 signature of a token's size, off the main thread. */
const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: Number(process.env['DATABASE_POOL_SIZE']) });
const ids = (await pool.query<{ id: string }>('SELECT id FROM bench.sessions ORDER BY id')).rows.map(({ id }) => id);
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const claims = Buffer.alloc(500, 'a');
let next = 0;

const signature = () =>
  new Promise<Buffer>((done, failed) => {
    sign('sha256', claims, privateKey, (error, value) => (error ? failed(error) : done(value)));
  });

serve(async () => {
  await pool.query(
    `UPDATE bench.sessions SET refresh_counter = refresh_counter + 1, last_seen_at = now() WHERE id = $1
     RETURNING user_id, refresh_counter`,
    [ids[next++ % ids.length]],
  );
  await signature();
});
