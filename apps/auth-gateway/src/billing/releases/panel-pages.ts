/**
 * Pages of the panel on which a user approves payments. Values after the `?` fill in the form; the
 * user sees them before approving.
 */
export const PANEL_PAGES = {
  wallet: '/wallet',
  subscription: '/subscription',
  payments: '/payments',
  earnings: '/earnings',
} as const;

export type PanelPage = keyof typeof PANEL_PAGES;

/**
 * Address of a page of the panel, with the values that fill in its form.
 *
 * @param panel address of the panel.
 * @param proposal for example `{ credits: 10_000 }` or `{ plan: 'pro' }`.
 */
export function panelUrl(panel: string, page: PanelPage, proposal: Record<string, string | number> = {}): string {
  const query = new URLSearchParams(
    Object.entries(proposal).map(([key, value]): [string, string] => [key, String(value)]),
  ).toString();
  return `${panel}${PANEL_PAGES[page]}${query && `?${query}`}`;
}
