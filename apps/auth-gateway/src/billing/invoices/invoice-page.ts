import type { InvoiceResponse } from '@platform/contracts';
import Handlebars from 'handlebars';
import { formatMoney } from '../../kernel/money.js';
import { INVOICE_STYLE } from './invoice-page-headers.js';

interface Page {
  title: string;
  seller: string;
  facts: { label: string; value: string }[];
  lines: { description: string; quantity: number; unit: string; amount: string }[];
  sums: { label: string; value: string }[];
}

/** Handlebars escapes all values. */
const page = Handlebars.compile<Page>(
  `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{{title}}</title>
<style>${INVOICE_STYLE}</style></head>
<body><main>
<h1>{{title}}</h1>
<dl><dt>From</dt><dd><address dir="auto">{{seller}}</address></dd>
{{#each facts}}<dt>{{label}}</dt><dd><bdi>{{value}}</bdi></dd>
{{/each}}</dl>
<table>
<thead><tr><th scope="col">Description</th><th scope="col">Quantity</th><th scope="col">Price</th><th scope="col">Amount</th></tr></thead>
<tbody>{{#each lines}}<tr><td><bdi>{{description}}</bdi></td><td>{{quantity}}</td><td>{{unit}}</td><td>{{amount}}</td></tr>
{{/each}}</tbody>
<tfoot>{{#each sums}}<tr><th scope="row" colspan="3">{{label}}</th><td>{{value}}</td></tr>
{{/each}}</tfoot>
</table>
</main></body></html>
`,
  { strict: true },
);

/** Renders an invoice or credit note as a page to print. */
export function renderInvoicePage(invoice: InvoiceResponse): string {
  const { kind, number, buyer, currency } = invoice;
  const money = (cents: number): string => formatMoney(cents, currency);
  const facts: [string, string | null][] = [
    ['To', buyer.company ?? buyer.name],
    ['Attention', buyer.company === null ? null : buyer.name],
    ['E-mail', buyer.email],
    ['VAT number', buyer.vat],
    ['Country', buyer.country],
    ['Date', invoice.issued_at.toISOString().slice(0, 10)],
    ['Corrects invoice', invoice.credited_invoice_number],
    ['Payment', invoice.payment_intent_id],
  ];
  return page({
    title: `${kind === 'invoice' ? 'Invoice' : 'Credit note'} ${number}`,
    seller: invoice.seller,
    facts: facts.flatMap(([label, value]) => (value === null ? [] : [{ label, value }])),
    lines: invoice.lines.map(({ description, quantity, unit_cents, amount_cents }) => ({
      description,
      quantity,
      unit: money(unit_cents),
      amount: money(amount_cents),
    })),
    sums: [
      { label: 'Subtotal', value: money(invoice.subtotal_cents) },
      { label: 'Tax', value: money(invoice.tax_cents) },
      { label: kind === 'invoice' ? 'Paid' : 'Refunded', value: money(invoice.total_cents) },
    ],
  });
}
