import express from 'express';
import { createHmac, timingSafeEqual } from 'node:crypto';

/** A bare receiver that checks GitHub's signature over the raw body. */
const { PORT, SECRET = '' } = process.env;

const app = express();
app.use(express.raw({ type: () => true, limit: '10mb' }));
app.post('/v1/ext/:app_id/webhook/github', (request, response) => {
  const expected = Buffer.from(
    `sha256=${createHmac('sha256', SECRET)
      .update(request.body as Buffer)
      .digest('hex')}`,
  );
  const given = Buffer.from(request.get('x-hub-signature-256') ?? '');
  const isValid = given.length === expected.length && timingSafeEqual(given, expected);
  response.status(isValid ? 200 : 401).json({ ok: isValid });
});
app.listen(Number(PORT), '127.0.0.1', () => process.send?.('listening'));
