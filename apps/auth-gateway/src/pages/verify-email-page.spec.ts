import { createHash } from 'node:crypto';
import { GatewayTest } from '../testing/gateway.js';

let gateway: GatewayTest;
beforeAll(async () => (gateway = await GatewayTest.start()));
afterAll(() => gateway.stop());

it('allows exactly the script and the style that it carries', async () => {
  const { status, headers, body } = await gateway.client().get<string>('/verify-email');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).not.toContain('unsafe');
  for (const [, inline = ''] of body.matchAll(/<(?:script|style)>([\s\S]*?)<\/(?:script|style)>/g)) {
    expect(policy).toContain(`'sha256-${createHash('sha256').update(inline).digest('base64')}'`);
  }
});

it('is where the link of the mail leads, and opening it confirms nothing', async () => {
  const email = gateway.newEmail();
  await gateway.client().post('/v1/auth/signup', { email, password: 'correct horse battery' });
  const { text } = await gateway.smtp.mailTo(email);
  const link = /http:\S+/.exec(text)?.[0] ?? '';
  expect(link).toMatch(/^http:\/\/localhost:4000\/verify-email#token=/);
  await gateway.client().get(new URL(link).pathname);
  expect(await gateway.service.query('SELECT 1 FROM users WHERE email = $1 AND email_verified_at IS NOT NULL', [email])).toEqual([]);
});
