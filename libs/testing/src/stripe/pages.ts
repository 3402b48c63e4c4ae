import { createHash } from 'node:crypto';

/** Answer to one request. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { max-width: 32rem; margin: 3rem auto; padding: 0 1rem; }
fieldset { border: 1px solid; border-radius: 0.5rem; margin: 1rem 0; padding: 0.5rem 1rem; }
label { display: block; padding: 0.25rem 0; }
button { font: inherit; padding: 0.5rem 1.5rem; margin-right: 0.5rem; }
.amount { font-size: 2rem; margin: 0; }
[role='alert'] { border-left: 0.25rem solid; padding-left: 0.75rem; font-weight: bold; }
`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

const HEADERS = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer', // the URL contains the client secret
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/**
 * Renders a page without scripts and external resources.
 *
 * @param content HTML; all foreign text in it must be escaped (`escapeHtml`)
 * @param goesOnAt origin to which the form can finally redirect, because browsers apply
 * `form-action` to redirects
 */
export function renderPage(status: number, title: string, content: string, goesOnAt?: string): Answer {
  const formAction = goesOnAt === undefined ? "'self'" : `'self' ${goesOnAt}`;
  const policy = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src data:; form-action ${formAction}; base-uri 'none'; frame-ancestors 'none'`;
  return {
    status,
    headers: { ...HEADERS, 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy },
    body: `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${escapeHtml(title)}</title>
    <link rel="icon" href="data:," />
    <style>${STYLE}</style>
  </head>
  <body>
    <main>
      <h1>${escapeHtml(title)}</h1>
${content}
    </main>
  </body>
</html>
`,
  };
}

/** Makes a redirect with status 303, so that the browser uses `GET`. */
export const redirect = (location: string): Answer => ({
  status: 303,
  headers: { ...HEADERS, Location: location },
  body: '',
});

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes text for HTML content and quoted attributes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);

/** Formats an amount in the smallest unit of its currency. Some currencies have no smaller unit. */
export function formatAmount({ amount, currency }: { amount: number; currency: string }): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}
