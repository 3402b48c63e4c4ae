import { shortened } from '@platform/contracts/text-lengths';

/** As many as the platform counts: then there may be more. */
export const MOST_COUNTED = 100;
const MAX_SAID = 200;

/** On the bell; empty for none. */
export const shortCount = (unread: number): string => (unread >= MOST_COUNTED ? `${MOST_COUNTED - 1}+` : unread ? String(unread) : '');

/** What the bell is called. */
export const bellName = (unread: number): string => {
  if (unread >= MOST_COUNTED) return `Notifications, more than ${MOST_COUNTED - 1} unread`;
  return unread ? `Notifications, ${unread} unread` : 'Notifications, none unread';
};

/** What a screen reader says of a new one: its subject, else how it begins. */
export function newNotification({ subject, message }: { subject: string | null; message: string }): string {
  const text = subject ?? message;
  return `New notification: ${shortened(text, MAX_SAID + 1)}`;
}
