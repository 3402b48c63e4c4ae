import { PASSWORD, until } from '@platform/testing';
import { ReadinessService } from '@platform/platform';
import { Registry } from 'prom-client';
import { GatewayTest } from '../../testing/gateway-test.js';
import { selfSigned } from '../../testing/self-signed-certificate.js';

let gateway: GatewayTest;
/** Debian's Postfix offers STARTTLS with a self-signed certificate. */
beforeAll(async () => (gateway = await GatewayTest.start({}, { tls: selfSigned() })));
afterAll(() => gateway.stop());

const signup = async (): Promise<string> => {
  const email = gateway.newEmail();
  expect((await gateway.client().post('/v1/auth/signup', { email, password: PASSWORD })).status).toBe(201);
  return email;
};

/** Adds a note, so that the answer does not come from the cache. */
async function note(): Promise<unknown> {
  gateway.service.app.get(ReadinessService).addNote({ name: 'asked', read: () => Promise.resolve('now') });
  const { status, body } = await gateway.client().get<{ notes: Record<string, unknown> }>('/readyz');
  expect(status).toBe(200);
  return body.notes['mail'];
}

async function outage(): Promise<number> {
  const found = await gateway.service.app.get(Registry).getSingleMetric('mail_outage_seconds')?.get();
  return found?.values[0]?.value ?? NaN;
}

interface Line {
  level: string;
  msg: string;
  seconds?: number;
}

const lines = (text: string) =>
  gateway.service.logLines.map((line) => JSON.parse(line) as Line).filter(({ msg }) => msg.includes(text));

it('signs up by a mail server on this machine with a certificate of its own', async () => {
  const email = await signup();
  const token = await gateway.mailToken(email);
  expect((await gateway.client().post('/v1/auth/verify-email', { token })).status).toBe(200);
  expect(gateway.smtp.mails.map(({ isEncrypted }) => isEncrypted)).toEqual([true]);
  expect([await note(), await outage()]).toEqual(['ok', 0]);
});

it('says for how long no mail goes out, once it is more than a moment, and when they go again', async () => {
  gateway.expectFailures('mail');
  await gateway.smtp.stop();
  const email = await signup();
  await until(() => lines('job will be retried').length > 0);
  expect(await outage()).toBeGreaterThanOrEqual(0);
  expect([await note(), lines('no mail goes out')]).toEqual(['ok', []]);

  const nextTry = async (after: number) => {
    await gateway.service.query("UPDATE outbox SET due_at = now() WHERE queue = 'mail' AND due_at IS NOT NULL");
    await until(() => lines('job will be retried').length > after);
  };
  await gateway.service.query("UPDATE mail_outages SET since = since - interval '100 seconds'");
  await nextTry(1);
  await nextTry(2); // the log has it once
  expect(lines('no mail goes out')).toEqual([
    expect.objectContaining({ level: 'error', err: expect.objectContaining({ code: 'ESOCKET' }) }),
  ]);
  expect(lines('no mail goes out')[0]?.seconds).toBeGreaterThanOrEqual(100);
  expect(await note()).toMatch(/^No mail has gone out for 1\d\d s; mails wait\. /);
  expect(await outage()).toBeGreaterThanOrEqual(100);

  await gateway.service.query("UPDATE mail_outages SET told_at = told_at - interval '1 hour'");
  await nextTry(3);
  expect(lines('no mail goes out')).toHaveLength(2);

  await gateway.smtp.start();
  await gateway.service.query("UPDATE outbox SET due_at = now() WHERE queue = 'mail' AND due_at IS NOT NULL");
  await gateway.mailToken(email);
  await gateway.waitForMails();
  expect([await note(), await outage(), lines('mails go out again').length]).toEqual(['ok', 0, 1]);
});

it('has one outage at a time', async () => {
  await gateway.service.query('INSERT INTO mail_outages DEFAULT VALUES');
  await expect(gateway.service.query('INSERT INTO mail_outages VALUES (false)')).rejects.toThrow(
    'mail_outages_one_check',
  );
  await expect(gateway.service.query('INSERT INTO mail_outages DEFAULT VALUES')).rejects.toThrow('mail_outages_pkey');
  await gateway.service.query('DELETE FROM mail_outages');
});
