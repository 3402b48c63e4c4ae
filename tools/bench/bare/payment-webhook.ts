import express from 'express';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { Pool } from 'pg';

/**
 * Minimum work of a receiver of the payment provider's events: checks Stripe's signature over the
 * raw body, and stores the event with one prepared INSERT.
 */
const { PORT, SECRET = '', DATABASE_URL, DATABASE_POOL_SIZE } = process.env;
const pool = new Pool({ connectionString: DATABASE_URL, max: Number(DATABASE_POOL_SIZE) });

const isSigned = (header: string, body: Buffer): boolean => {
  const [, time = '', signature = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  const expected = createHmac('sha256', SECRET).update(`${time}.`).update(body).digest();
  const given = Buffer.from(signature, 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
};

const app = express();
app.use(express.raw({ type: () => true, limit: '1mb' }));
app.post('/v1/webhooks/stripe', async (request, response) => {
  const body = request.body as Buffer;
  if (!isSigned(request.get('stripe-signature') ?? '', body))
    return void response.status(400).json({ received: false });
  const { id, type } = JSON.parse(body.toString('utf8')) as { id: string; type: string };
  await pool.query({
    name: 'insert',
    text: 'INSERT INTO bench.inbound_events (event_id, type) VALUES ($1, $2)',
    values: [id, type],
  });
  response.json({ received: true });
});
app.listen(Number(PORT), '127.0.0.1', () => process.send?.('listening'));
