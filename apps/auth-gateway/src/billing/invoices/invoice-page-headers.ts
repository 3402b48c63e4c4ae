import { sha256 } from '@platform/platform';

/** Style of the page for screens and paper. */
export const INVOICE_STYLE = `
:root{color-scheme:light}
body{max-width:46rem;margin:2rem auto;padding:0 1.5rem;font:16px/1.5 system-ui,sans-serif;color:#1c2430;background:#fff}
h1{margin:0 0 1.5rem;font-size:1.5rem}
address{font-style:normal;white-space:pre-line}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1.5rem;margin:0 0 1.5rem}
dt{color:#5b6675}
dd{margin:0;overflow-wrap:anywhere}
table{width:100%;border-collapse:collapse}
th,td{padding:.5rem 0;border-bottom:1px solid #c9cfd8;text-align:left;overflow-wrap:anywhere}
th~th,td~td,tfoot td{padding-left:1rem;text-align:right;white-space:nowrap}
tfoot th{font-weight:400}
tfoot tr:last-child>*{font-weight:700;border-bottom:0}
@media print{body{max-width:none;margin:0;padding:0;font-size:11pt}tr{break-inside:avoid}@page{margin:2cm}}
`;

/** The page can load only this style: no scripts, images, requests, forms or frames. */
export const INVOICE_PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${sha256(INVOICE_STYLE).toString('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox`,
  'X-Content-Type-Options': 'nosniff',
};
