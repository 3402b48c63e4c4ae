import type { AppWebhook } from '@platform/client';
import { printable } from './printable.js';

/** Formats webhooks: a line for each address, with its methods before it. */
export function webhookLines(webhooks: readonly AppWebhook[]): string[] {
  const methodsByUrl = new Map<string, string[]>();
  for (const { url, method } of webhooks) methodsByUrl.set(url, [...(methodsByUrl.get(url) ?? []), method]);
  const rows = [...methodsByUrl].map(([url, methods]) => [methods.join(', '), url] as const);
  const width = Math.max(0, ...rows.map(([methods]) => methods.length));
  return rows.map(([methods, url]) => printable(`${methods.padEnd(width)} ${url}`));
}

/** Note for developers who register addresses of a draft elsewhere. */
export const ABOUT_DRAFT_ADDRESSES =
  'These webhook addresses work until the app is published. Then remove `/draft` from them.';
