import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { Mailbox } from './mailbox.js';
import type { Message } from './message-store.js';

let directory: string;
let mailbox: Mailbox;

const start = () =>
  Mailbox.start({
    smtpPort: 0,
    webPort: 0,
    file: join(directory, 'mailbox.jsonl'),
    pageDirectory: join(__dirname, 'page'),
  });

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'mailbox-'));
  mailbox = await start();
});

afterEach(async () => {
  await mailbox.stop();
  rmSync(directory, { recursive: true });
});

const send = (mail: SendMailOptions) =>
  createTransport(mailbox.smtpUrl).sendMail({ from: 'Platform <no-reply@platform.local>', ...mail });

const list = async (query = ''): Promise<Message[]> =>
  (await (await fetch(`${mailbox.webUrl}/api/messages${query}`)).json()) as Message[];

it('lists what it was sent, newest first', async () => {
  await send({ to: 'ada@example.org', subject: 'Grüße', text: 'Hello Ada', html: '<p>Hello <b>Ada</b></p>' });
  await send({ to: ['Bob <bob@example.org>'], bcc: 'carol@example.org', subject: 'Second', text: 'Hello all' });
  const [second, first] = await list();
  const html = '<p>Hello <b>Ada</b></p>';
  expect(first).toMatchObject({
    to: 'ada@example.org',
    from: 'no-reply@platform.local',
    subject: 'Grüße',
    text: 'Hello Ada',
    html,
  });
  expect(new Date(first?.received_at ?? '').toISOString()).toBe(first?.received_at);
  expect(second).toMatchObject({ to: 'bob@example.org, carol@example.org', subject: 'Second', html: null });
});

it('lists the mails of one recipient', async () => {
  await send({ to: 'ada@example.org', subject: 'For Ada', text: 'x' });
  await send({ to: 'bob@example.org, ada@example.org', subject: 'For both', text: 'x' });
  await send({ to: 'bob@example.org', subject: 'For Bob', text: 'x' });
  expect((await list('?to=Ada@example.org')).map(({ subject }) => subject)).toEqual(['For both', 'For Ada']);
});

it('finds its mails after a restart, even when a kill left half a line', async () => {
  await send({ to: 'ada@example.org', subject: 'Kept', text: 'x' });
  await mailbox.stop();
  appendFileSync(join(directory, 'mailbox.jsonl'), '{"id":"broken","to"');
  mailbox = await start();
  await send({ to: 'ada@example.org', subject: 'New', text: 'x' });
  expect((await list()).map(({ subject }) => subject)).toEqual(['New', 'Kept']);
});

it('empties on DELETE', async () => {
  await send({ to: 'ada@example.org', subject: 'Gone', text: 'x' });
  expect((await fetch(`${mailbox.webUrl}/api/messages`, { method: 'DELETE' })).status).toBe(204);
  expect(await list()).toEqual([]);
});

it('refuses a mail above 1 MiB and goes on', async () => {
  const size = 1024 * 1024;
  await expect(send({ to: 'ada@example.org', subject: 'Large', text: 'x\n'.repeat(size) })).rejects.toMatchObject({
    responseCode: 552,
  });
  await send({ to: 'ada@example.org', subject: 'Small', text: 'x' });
  expect((await list()).map(({ subject }) => subject)).toEqual(['Small']);
});

it('survives a client that breaks off', async () => {
  const socket = connect(Number(new URL(mailbox.smtpUrl).port), '127.0.0.1');
  await new Promise((done) => socket.once('data', done));
  socket.write('EHLO x\r\nMAIL FROM:<a@b.c>\r\nRCPT TO:<d@e.f>\r\nDATA\r\nSubject: half');
  let answer = '';
  for await (const piece of socket.iterator({ destroyOnReturn: false })) {
    answer += String(piece);
    if (/^354 /m.test(answer)) break; // it accepts the mail
  }
  socket.resetAndDestroy();
  await send({ to: 'ada@example.org', subject: 'Whole', text: 'x' });
  expect((await list()).map(({ subject }) => subject)).toEqual(['Whole']);
});

it('shows the HTML of a mail where no script runs and every link opens a new tab', async () => {
  await send({
    to: 'ada@example.org',
    subject: 'x',
    html: '<script>parent.stolen = 1</script><a href="https://example.org">go</a>',
  });
  const [message] = await list();
  const response = await fetch(`${mailbox.webUrl}/messages/${message?.id}/html`);
  expect(response.headers.get('content-security-policy')).toMatch(
    /^sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'/,
  );
  expect(await response.text()).toMatch(/^<!doctype html><base target="_blank">/);
});

it('serves its page with a policy that allows no inline script', async () => {
  const response = await fetch(mailbox.webUrl);
  expect(response.headers.get('content-type')).toContain('text/html');
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
  for (const path of ['/mailbox.css', '/mailbox.js']) expect((await fetch(mailbox.webUrl + path)).status).toBe(200);
});

it('does not answer under a name that is not this machine', async () => {
  const status = await new Promise((done, failed) => {
    const options = { headers: { host: 'evil.example' } };
    request(`${mailbox.webUrl}/api/messages`, options, (response) => done(response.resume().statusCode))
      .once('error', failed)
      .end();
  });
  expect(status).toBe(403);
});

it('says when its port is taken', async () => {
  const webPort = Number(new URL(mailbox.webUrl).port);
  const second = Mailbox.start({
    smtpPort: 0,
    webPort,
    file: join(directory, 'other.jsonl'),
    pageDirectory: directory,
  });
  await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE', port: webPort });
});
