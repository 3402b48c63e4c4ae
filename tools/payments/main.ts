import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startPayments } from './payments.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');

if (process.env['NODE_ENV'] === 'production') {
  console.error(
    'The fake of Stripe is only for development: test cards would buy credits. In production set STRIPE_SECRET_KEY.',
  );
  process.exit(1);
}
try {
  const payments = await startPayments(root, process.env);
  const stop = () => void payments.stop().finally(() => process.exit(0));
  for (const event of ['SIGTERM', 'SIGINT', 'disconnect']) process.once(event, stop);
  console.log(
    `The fake of Stripe listens at ${payments.url} and tells the platform at ${payments.webhooks.settings.url} of events`,
  );
  process.send?.({ listening: Number(new URL(payments.url).port) });
} catch (error) {
  const { code, port, message } = error as NodeJS.ErrnoException & { port?: number };
  const taken = `Port ${port} is taken, so the fake of Stripe cannot start. Free it, or set PAYMENTS_PORT.`;
  console.error(code === 'EADDRINUSE' ? taken : `The fake of Stripe cannot start: ${message}`);
  process.exit(1);
}
