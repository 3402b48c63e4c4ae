import express from 'express';
import { Pool } from 'undici';

/**
 * First of two bare services: takes a call, sends it to the other service, and returns that answer.
 */
const { PORT, BACK_URL = '' } = process.env;
const back = new Pool(BACK_URL, { connections: 16 });

const app = express();
app.use(express.json());
app.post('/v1/extensions/:app_id/call', async (request, response) => {
  const answer = await back.request({
    method: 'POST',
    path: '/v1/internal/runs',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request.body),
  });
  response.status(answer.statusCode).json(await answer.body.json());
});
app.listen(Number(PORT), '127.0.0.1', () => process.send?.('listening'));
