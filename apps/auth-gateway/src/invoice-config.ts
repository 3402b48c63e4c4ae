import { makeExactValidator } from 'envalid';

const prefix = makeExactValidator<string>((input) => {
  if (!/^([A-Z][A-Z0-9-]{0,19})?$/.test(input))
    throw new Error('expected up to 20 capital letters, digits and dashes, a letter first');
  return input;
});

const sellerText = makeExactValidator<string>((input) => {
  const text = input.replaceAll('\\n', '\n').trim();
  if (!text || text.length > 1_000) throw new Error('expected 1 to 1000 characters');
  return text;
});

/** Texts on invoices. */
export const invoiceConfig = {
  INVOICE_PREFIX: prefix({
    default: '',
    desc: 'prefix of invoice numbers, before the year: up to 20 capital letters, digits and dashes; each prefix has its own sequence of numbers',
    docs: 'billing.md#invoices',
  }),
  INVOICE_SELLER: sellerText({
    default: 'Cloud Platform',
    desc: 'name and address of the seller on new invoices, up to 1000 characters; \\n begins a new line',
    docs: 'billing.md#invoices',
  }),
};
