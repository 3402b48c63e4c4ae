import { call, type InvoiceResponse } from '@platform/client';
import type { Command } from 'commander';
import type { Context, ContextOf } from '../context.js';
import { showPage } from '../panel/browser.js';
import { pageUrl } from '../panel/done-in-panel.js';
import { inMoney } from '../text/money.js';
import { printable } from '../text/printable.js';
import { table } from '../text/table.js';
import { moment } from '../text/times.js';
import { wholeNumber } from '../text/whole-number.js';

interface PageOptions {
  limit?: number;
  offset?: number;
}

export function addInvoices(program: Command, contextOf: ContextOf): void {
  const invoices = program
    .command('invoices')
    .description('list and show your invoices and credit notes. Accepts PLATFORM_API_KEY');
  invoices
    .command('list', { isDefault: true })
    .option('--limit <number>', 'number of invoices, up to 200; 50 by default', wholeNumber)
    .option('--offset <number>', 'number of newest invoices to skip', wholeNumber)
    .description('list invoices, newest first (the default)')
    .action((options: PageOptions, command: Command) => list(contextOf(command), options));
  invoices
    .command('show')
    .argument('<id>', 'id, see `platform invoices`')
    .option('--html', 'print the invoice as HTML to standard output')
    .description('show an invoice')
    .addHelpText('after', '\nExample:\n  $ platform invoices show inv_1 --html > invoice.html')
    .action((id: string, { html }: { html?: true }, command: Command) => (html ? page : show)(contextOf(command), id));
  invoices
    .command('open')
    .argument('[id]', 'id of an invoice; all invoices by default')
    .description('open invoices in the panel, in a browser')
    .action((id: string | undefined, _options: object, command: Command) => open(contextOf(command), id));
}

async function list({ keyOrSession: client, output }: Context, { limit, offset }: PageOptions): Promise<void> {
  const found = await call(client.GET('/v1/billing/invoices', { params: { query: { limit, offset } } }));
  const rows = found.map(({ id, number, kind, issued_at, total_cents, currency, lines }) => [
    id,
    number,
    kind === 'invoice' ? 'invoice' : 'credit note',
    moment(issued_at),
    inMoney(total_cents, currency),
    lines.map(({ description }) => description).join('; '),
  ]);
  output.result(
    found,
    rows.length ? table(['ID', 'NUMBER', 'KIND', 'ISSUED', 'TOTAL', 'FOR'], rows) : 'You have no invoices.',
  );
}

async function show({ keyOrSession: client, output }: Context, id: string): Promise<void> {
  const invoice = await call(client.GET('/v1/billing/invoices/{invoice_id}', { params: { path: { invoice_id: id } } }));
  output.result(invoice, inWords(invoice));
}

async function page({ keyOrSession: client, output }: Context, id: string): Promise<void> {
  const params = { path: { invoice_id: id } };
  const html = await call(client.GET('/v1/billing/invoices/{invoice_id}/html', { params, parseAs: 'text' }));
  output.result({ html }, html);
}

async function open(context: Context, id: string | undefined): Promise<void> {
  await showPage(
    context,
    await pageUrl(context, id === undefined ? 'payments' : `payments/invoices/${encodeURIComponent(id)}`),
  );
}

function inWords({
  number,
  kind,
  credited_invoice_number: credited,
  seller,
  buyer,
  lines,
  ...sums
}: InvoiceResponse): string {
  const money = (cents: number): string => inMoney(cents, sums.currency);
  const title = kind === 'invoice' ? `Invoice ${number}` : `Credit note ${number}, for invoice ${credited ?? '-'}`;
  const rows = lines.map(({ description, quantity, unit_cents, amount_cents }) => [
    description,
    String(quantity),
    money(unit_cents),
    money(amount_cents),
  ]);
  return [
    printable(`${title}, ${moment(sums.issued_at)}`),
    printable(`From  ${seller.replaceAll('\n', ', ')}`),
    printable(
      `To    ${[buyer.company ?? buyer.name ?? '', buyer.email, buyer.vat ?? '', buyer.country ?? ''].filter(Boolean).join(', ')}`,
    ),
    table(['DESCRIPTION', 'QUANTITY', 'PRICE', 'AMOUNT'], rows),
    `Tax ${money(sums.tax_cents)}. ${kind === 'invoice' ? 'Paid' : 'Refunded'}: ${money(sums.total_cents)}.`,
  ].join('\n');
}
