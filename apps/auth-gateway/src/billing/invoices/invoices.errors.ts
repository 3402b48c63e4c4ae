import { AppError } from '@platform/platform';

export const InvoiceErrors = {
  notFound: () => new AppError(404, 'invoice.not_found', 'There is no such invoice.'),
};
