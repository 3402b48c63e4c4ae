import type { InvoiceResponse } from '@platform/client';
import { Link, useParams } from 'react-router';
import { useInvoice } from '../../api/payments.js';
import { Button } from '../../components/button.js';
import { Facts } from '../../components/facts.js';
import { Loaded } from '../../components/loaded.js';
import { PageHeading, PageTitle } from '../../components/page.js';
import { inMoney } from '../../lib/money.js';
import { date } from '../../lib/time.js';
import './invoice-page.css';

/** An invoice or a credit note, to read and print. Only the document itself is printed. */
export function InvoicePage() {
  const { invoiceId = '' } = useParams();
  const invoice = useInvoice(invoiceId);
  const title = invoice.data ? titleOf(invoice.data) : 'Invoice';
  return (
    <div className="invoice">
      <PageTitle>{title}</PageTitle>
      <div className="invoice__actions">
        <Link to="/payments#invoices">All invoices</Link>
        <Button size="small" icon="print" aria-disabled={!invoice.data} onClick={() => window.print()}>
          Print
        </Button>
      </div>
      <PageHeading>{title}</PageHeading>
      <Loaded query={invoice}>{(found) => <Invoice invoice={found} />}</Loaded>
    </div>
  );
}

const titleOf = ({ kind, number }: InvoiceResponse): string =>
  `${kind === 'invoice' ? 'Invoice' : 'Credit note'} ${number}`;

function Invoice({ invoice }: { invoice: InvoiceResponse }) {
  const {
    seller,
    buyer,
    kind,
    issued_at,
    credited_invoice_id,
    credited_invoice_number,
    payment_intent_id,
    lines,
    currency,
  } = invoice;
  const money = (cents: number) => inMoney(cents, currency);
  const to = [buyer.company, buyer.name, buyer.email, buyer.country, buyer.vat && `VAT number ${buyer.vat}`].filter(
    Boolean,
  );
  return (
    <>
      <Facts
        facts={[
          [
            'From',
            <span className="invoice__lines" key="from">
              {seller}
            </span>,
          ],
          [
            'To',
            <span className="invoice__lines" key="to">
              {to.join('\n')}
            </span>,
          ],
          ['Date', date(new Date(issued_at))],
          ...(credited_invoice_id
            ? [
                [
                  'Corrects',
                  <Link to={`/payments/invoices/${credited_invoice_id}`} key="of">
                    Invoice {credited_invoice_number}
                  </Link>,
                ] as const,
              ]
            : []),
          ['Payment', <code key="payment">{payment_intent_id}</code>],
        ]}
      />
      <table className="invoice__table">
        <thead>
          <tr>
            <th scope="col">Description</th>
            <th scope="col">Quantity</th>
            <th scope="col">Price</th>
            <th scope="col">Amount</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ description, quantity, unit_cents, amount_cents }, at) => (
            <tr key={at}>
              <td>{description}</td>
              <td>{quantity}</td>
              <td>{money(unit_cents)}</td>
              <td>{money(amount_cents)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          {[
            ['Subtotal', invoice.subtotal_cents],
            ['Tax', invoice.tax_cents],
            [kind === 'invoice' ? 'Paid' : 'Refunded', invoice.total_cents],
          ].map(([name, cents]) => (
            <tr key={name}>
              <th scope="row" colSpan={3}>
                {name}
              </th>
              <td>{money(Number(cents))}</td>
            </tr>
          ))}
        </tfoot>
      </table>
    </>
  );
}
