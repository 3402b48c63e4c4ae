import type { AppWebhook } from '@platform/client';
import { printable } from './printable.js';

/** Each address, behind the methods that are taken there. */
export function webhookLines(webhooks: readonly AppWebhook[]): string[] {
  const methodsByUrl = new Map<string, string[]>();
  for (const { url, method } of webhooks) methodsByUrl.set(url, [...(methodsByUrl.get(url) ?? []), method]);
  const rows = [...methodsByUrl].map(([url, methods]) => [methods.join(', '), url] as const);
  const width = Math.max(0, ...rows.map(([methods]) => methods.length));
  return rows.map(([methods, url]) => printable(`${methods.padEnd(width)} ${url}`));
}

/** What whoever enters a draft's addresses elsewhere has to know. */
export const ABOUT_DRAFT_ADDRESSES = 'Its webhooks are at these addresses until it is published, and then at those without `/draft`.';
