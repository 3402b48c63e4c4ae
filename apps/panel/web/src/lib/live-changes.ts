/** Query keys of data that an event changes, by the beginning of the event type. */
export const CHANGES: Readonly<Record<string, readonly string[]>> = {
  'session.': ['sessions'],
  'api_key.': ['keys'],
  'wallet.': ['wallet', 'usage'],
  'billing.': ['wallet', 'usage', 'subscription', 'auto-topup', 'cards', 'payments', 'invoices'],
  'payout.': ['payouts', 'earnings'],
  'notification.': ['notifications'],
};
/** All query keys with live data. */
export const LIVE: readonly string[] = [...new Set(Object.values(CHANGES).flat())];

export const changedBy = (type: string): readonly string[] =>
  type === 'stream.reset'
    ? LIVE
    : (Object.entries(CHANGES).find(([beginning]) => type.startsWith(beginning))?.[1] ?? []);
