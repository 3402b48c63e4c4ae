import { bellName, newNotification, shortCount } from './notifications.js';

it('says how many are unread, as far as the platform counts', () => {
  expect([0, 1, 99, 100].map(shortCount)).toEqual(['', '1', '99', '99+']);
  expect([0, 1, 100].map(bellName)).toEqual([
    'Notifications, none unread',
    'Notifications, 1 unread',
    'Notifications, more than 99 unread',
  ]);
});

it('says a new one by its subject, and a long message as it begins', () => {
  expect(newNotification({ subject: 'Milk', message: 'Buy some' })).toBe('New notification: Milk');
  expect(newNotification({ subject: null, message: 'x'.repeat(1_000) })).toBe(`New notification: ${'x'.repeat(200)}…`);
});
