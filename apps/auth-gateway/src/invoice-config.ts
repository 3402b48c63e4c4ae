import { makeExactValidator } from 'envalid';

const prefix = makeExactValidator<string>((input) => {
  if (!/^([A-Z][A-Z0-9-]{0,19})?$/.test(input)) throw new Error('expected up to 20 capital letters, digits and dashes, a letter first');
  return input;
});

const sellerText = makeExactValidator<string>((input) => {
  const text = input.replaceAll('\\n', '\n').trim();
  if (!text || text.length > 1_000) throw new Error('expected 1 to 1000 characters');
  return text;
});

/** What stands on invoices. */
export const invoiceConfig = {
  INVOICE_PREFIX: prefix({
    default: '',
    desc: 'up to 20 capital letters, digits and dashes before the year in the numbers of invoices; another one begins numbers of its own',
    docs: 'billing.md#invoices',
  }),
  INVOICE_SELLER: sellerText({
    default: 'Cloud Platform',
    desc: 'who sells, as invoices say it from then on: name and address, up to 1000 characters; \\n begins a new line',
    docs: 'billing.md#invoices',
  }),
};
