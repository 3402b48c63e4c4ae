/** Which of what is shown an event changes: by the beginning of its type, the first parts of query keys. */
export const CHANGES: Readonly<Record<string, readonly string[]>> = {
  'session.': ['sessions'],
  'api_key.': ['keys'],
  'wallet.': ['wallet', 'usage'],
  'billing.': ['wallet', 'usage', 'subscription', 'auto-topup', 'cards', 'payments', 'invoices'],
  'payout.': ['payouts', 'earnings'],
  'notification.': ['notifications'],
};
/** All of them. */
export const LIVE: readonly string[] = [...new Set(Object.values(CHANGES).flat())];

export const changedBy = (type: string): readonly string[] =>
  type === 'stream.reset' ? LIVE : (Object.entries(CHANGES).find(([beginning]) => type.startsWith(beginning))?.[1] ?? []);
