import type { NotificationSentResponse, NotificationsResponse } from '@platform/contracts';
import { Outbox } from '@platform/persistence';
import type { TestClient } from '@platform/testing';
import { createApp, installApp } from '../../testing/apps.js';
import { GatewayTest, type TestUser } from '../../testing/gateway-test.js';
import { createRunGrant } from '../../testing/run-grants.js';
import { UserNotificationsService } from './user-notifications.service.js';

let gateway: GatewayTest;
let user: TestUser;
let client: TestClient;
let appId: string;
beforeAll(async () => (gateway = await GatewayTest.start()));
beforeEach(async () => {
  user = await gateway.user();
  client = await gateway.signIn(user);
  appId = await installed();
});
afterAll(() => gateway.stop());

async function installed(): Promise<string> {
  const { app_id } = await createApp(gateway, { document: {} });
  await installApp(gateway, app_id, user.id);
  return app_id;
}
const wants = async (notifications: object): Promise<void> =>
  expect((await client.patch('/v1/me/settings', { notifications })).status).toBe(200);
let said = 0;
/** True if the notification was sent, and its status in the list. */
async function told(channel: string, app = appId): Promise<[boolean, string | undefined]> {
  const message = `Message ${++said}`;
  const grant = await createRunGrant(gateway.service, app, { userId: user.id });
  const { status, body } = await gateway
    .backend()
    .post<NotificationSentResponse>('/v1/internal/notifications', { grant, message, channel, priority: 'normal' });
  expect(status).toBe(200);
  return [body.sent, (await list()).find((item) => item.message === message)?.channel];
}
const list = async () => (await client.get<NotificationsResponse>('/v1/me/notifications')).body.items;
const SENT = { bell: [true, 'in_app'], email: [true, 'email'], none: [false, undefined] } as const;

it('by all of them, unless the user has decided', async () => {
  expect(await told('in_app')).toEqual(SENT.bell);
  expect(await told('email')).toEqual(SENT.email);
  expect((await gateway.smtp.waitForMail(user.email)).text).toContain(`Message ${said}`);
});

async function mailed(texts: { message: string; subject?: string; body?: string }) {
  const grant = await createRunGrant(gateway.service, appId, { userId: user.id });
  const { body } = await gateway.backend().post<NotificationSentResponse>('/v1/internal/notifications', {
    grant,
    channel: 'email',
    priority: 'normal',
    ...texts,
  });
  expect(body).toEqual({ sent: true });
  return gateway.smtp.waitForMail(user.email);
}
const paragraphsOf = (html: string) => [...html.matchAll(/<p dir="auto">(.*?)<\/p>/gs)].map(([, text]) => text);

it('by mail with its lines and paragraphs, whichever system wrote them', async () => {
  const { text, html, subject } = await mailed({
    message: '\n one \r\n<two>\r\n\r\nthree\u2028four',
    body: 'a\nb\n \n\n\tc\n',
  });
  expect(paragraphsOf(html)).toEqual([' one<br>&lt;two&gt;', 'three<br>four', 'a<br>b', '\tc']);
  expect(text.replaceAll('\r\n', '\n')).toContain(' one\n<two>\n\nthree\nfour\n\na\nb\n\n\tc\n\n');
  expect(subject).toBe('one');
});

it.each([
  [`${'x'.repeat(99)}😀`, `${'x'.repeat(99)}😀`],
  [`${'x'.repeat(100)}😀`, `${'x'.repeat(99)}…`],
  [`${'x'.repeat(98)}👨‍👩‍👧‍👦 and more`, `${'x'.repeat(98)}…`],
  ['שלום\tעולם\nמה שלומך', 'שלום עולם'],
])('by mail with whole characters in its subject: %s', async (message, subject) => {
  expect((await mailed({ message })).subject).toBe(subject);
});

it('by mail with the subject that the app gives it, as a whole', async () => {
  const subject = `${'ü'.repeat(99)}😀${'x'.repeat(100)}`;
  expect((await mailed({ message: 'Hello', subject })).subject).toBe(subject);
});

it('not by mail where they want none: then it is in the list alone', async () => {
  await wants({ default: ['bell'] });
  expect(await told('email')).toEqual(SENT.bell);
  expect(await told('bell')).toEqual(SENT.bell);
});

it('by mail alone', async () => {
  await wants({ default: ['email'] });
  expect(await told('in_app')).toEqual(SENT.none);
  expect(await told('email')).toEqual(SENT.email);
});

it('by no channel that is not there', async () => {
  expect(await told('telegram')).toEqual(SENT.none);
});

it('as they have it of single apps, and not at all where they switched it off', async () => {
  const other = await installed();
  await wants({ default: [], apps: { [other]: ['bell'] } });
  expect([await told('in_app'), await told('email')]).toEqual([SENT.none, SENT.none]);
  expect(await told('email', other)).toEqual(SENT.bell);
  await wants({ apps: { [appId]: [] }, default: ['bell', 'email'] });
  expect([await told('in_app'), await told('in_app', other)]).toEqual([SENT.none, SENT.bell]);
  await wants({ enabled: false });
  expect([await told('in_app'), await told('email', other)]).toEqual([SENT.none, SENT.none]);
});

it('of what the platform tells itself, that of their automations and deploys alone', async () => {
  await wants({ enabled: false });
  const keep = (app_id: string) =>
    gateway.service.app
      .get(Outbox)
      .transaction((em) =>
        gateway.service.app
          .get(UserNotificationsService)
          .storeNotification(em, { app_id, user_id: user.id, tenant_id: 'default', message: app_id }),
      );
  for (const app of ['automations', 'billing', 'developer', 'marketplace']) await keep(app);
  expect((await list()).map(({ message }) => message).sort()).toEqual(['billing', 'marketplace']);
});
