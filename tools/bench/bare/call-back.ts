import express from 'express';
import { Pool } from 'pg';

/**
 * Second of two bare services: reads the document of the call with the statement of
 * `ctx.store.get`, and answers with its data.
 */
const { PORT, DATABASE_URL, DATABASE_POOL_SIZE, DOCUMENT_KEY = '[]' } = process.env;
const pool = new Pool({
  connectionString: DATABASE_URL,
  max: Number(DATABASE_POOL_SIZE),
  options: '-c search_path=ext_host',
});
const statement = {
  name: 'get',
  text: `SELECT id, data, etag, created_at, updated_at FROM documents
         WHERE tenant_id = $1 AND app_id = $2 AND collection = $3 AND user_id = $4 AND id = $5`,
};
const values = JSON.parse(DOCUMENT_KEY) as string[];

const app = express();
app.use(express.json());
app.post('/v1/internal/runs', async (_request, response) => {
  const { rows } = await pool.query<{ data: object }>({ ...statement, values });
  response.json({
    status: 'success',
    data: rows[0]?.data,
    summary: null,
    error: null,
    ui: null,
    error_code: null,
    retryable: false,
  });
});
app.listen(Number(PORT), '127.0.0.1', () => process.send?.('listening'));
