import { Link } from 'react-router';
import { useInvoices } from '../../api/payments.js';
import { Badge } from '../../components/badge.js';
import { List } from '../../components/list.js';
import { Section } from '../../components/section.js';
import { inMoney } from '../../lib/money.js';
import { date } from '../../lib/time.js';

export function InvoicesSection() {
  const invoices = useInvoices();
  return (
    <Section id="invoices" title="Invoices" intro="The newest 50. Open one to print it, or to save it as a PDF.">
      <List
        query={invoices}
        empty={
          <>
            <strong>No invoices yet</strong>
            <span>Each completed payment has an invoice.</span>
          </>
        }
      >
        {({ id, number, kind, lines, issued_at, total_cents, currency }) => (
          <li className="list__item" key={id}>
            <div className="list__text">
              <div className="list__title">
                <Link to={`/payments/invoices/${id}`}>
                  {kind === 'invoice' ? 'Invoice' : 'Credit note'} {number}
                </Link>
                {kind === 'credit_note' && <Badge>Refunded</Badge>}
              </div>
              <div className="list__note">
                <span>{date(new Date(issued_at))}</span>
                {lines[0] && <span>{lines[0].description}</span>}
              </div>
            </div>
            <strong>
              {kind === 'invoice' ? inMoney(total_cents, currency) : `−${inMoney(total_cents, currency)}`}
            </strong>
          </li>
        )}
      </List>
    </Section>
  );
}
