import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startPayments } from './payments.js';

// This file runs as dist/tools/payments/main.js.
const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');

if (process.env['NODE_ENV'] === 'production') {
  console.error(
    'The stand-in of Stripe is for development: whoever has a test card would have credits. In production set STRIPE_SECRET_KEY.',
  );
  process.exit(1);
}
try {
  const payments = await startPayments(root, process.env);
  const stop = () => void payments.stop().finally(() => process.exit(0));
  for (const event of ['SIGTERM', 'SIGINT', 'disconnect']) process.once(event, stop);
  console.log(`The stand-in of Stripe listens at ${payments.url} and tells ${payments.webhooks.settings.url} of events`);
  process.send?.({ listening: Number(new URL(payments.url).port) });
} catch (error) {
  const { code, port, message } = error as NodeJS.ErrnoException & { port?: number };
  const taken = `Port ${port} is taken, so the stand-in of Stripe cannot start. Free it, or set PAYMENTS_PORT.`;
  console.error(code === 'EADDRINUSE' ? taken : `The stand-in of Stripe cannot start: ${message}`);
  process.exit(1);
}
