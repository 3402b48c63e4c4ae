import { shortenText } from '@platform/contracts/text-lengths';

/** The platform counts up to this number; there may be more. */
export const MOST_COUNTED = 100;
const MAX_SAID = 200;

/** Count shown on the bell; empty for none. */
export const shortCount = (unread: number): string =>
  unread >= MOST_COUNTED ? `${MOST_COUNTED - 1}+` : unread ? String(unread) : '';

/** Accessible name of the bell. */
export const bellName = (unread: number): string => {
  if (unread >= MOST_COUNTED) return `Notifications, more than ${MOST_COUNTED - 1} unread`;
  return unread ? `Notifications, ${unread} unread` : 'Notifications, none unread';
};

/**
 * Screen reader text for a new notification: the beginning of its subject, or else of its message.
 */
export function newNotification({ subject, message }: { subject: string | null; message: string }): string {
  const text = subject ?? message;
  return `New notification: ${shortenText(text, MAX_SAID + 1)}`;
}
