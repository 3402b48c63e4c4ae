import { STRIPE_SECRET_KEY } from '@platform/testing';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts, ServiceProcess } from './service-process.js';

/** The bundle is complete, and the process works with the supervisor. */
it('the test payments start, take a customer, and keep it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'payments-smoke-'));
  const [port] = await freePorts(1);
  const env = {
    PAYMENTS_PORT: String(port),
    PAYMENTS_FILE: join(folder, 'payments.jsonl'),
    PAYMENTS_WEBHOOK_URL: 'http://127.0.0.1:9',
  };
  const headers = { Authorization: `Bearer ${STRIPE_SECRET_KEY}` };
  let id = '';
  try {
    for (const method of ['POST', 'GET']) {
      const payments = await ServiceProcess.start('tools/payments/main.js', env);
      const answer = await fetch(`${payments.url}/v1/customers${id && `/${id}`}`, { method, headers });
      expect(answer.status).toBe(200);
      ({ id } = (await answer.json()) as { id: string });
      if (method === 'POST') {
        const second = ServiceProcess.start('tools/payments/main.js', env);
        await expect(second).rejects.toThrow(`Port ${port} is taken, so the fake of Stripe cannot start.`);
      }
      expect(await payments.stop()).toBe(0);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it.each([
  ['tools/payments/main.js', 'The fake of Stripe is only for development'],
  ['tools/mailbox/main.js', 'The mailbox is for development'],
])('%s is not for production', async (program, reason) => {
  await expect(ServiceProcess.start(program, { NODE_ENV: 'production' })).rejects.toThrow(reason);
});
