/** Where in the panel a user buys credits, chooses a plan, and has cards and invoices. What to fill in comes behind a `?`, and is a proposal that they see before they agree. */
const PAGES = { wallet: '/wallet', subscription: '/subscription', payments: '/payments' } as const;

export type PanelPage = keyof typeof PAGES;

/** @param proposal such as `{ credits: 10_000 }` or `{ plan: 'pro' }`. */
export function panelUrl(panel: string, page: PanelPage, proposal: Record<string, string | number> = {}): string {
  const query = new URLSearchParams(Object.entries(proposal).map(([key, value]): [string, string] => [key, String(value)])).toString();
  return `${panel}${PAGES[page]}${query && `?${query}`}`;
}
