import { runTour } from './tour.js';

const gatewayUrl = process.env['GATEWAY_URL'] ?? 'http://localhost:4000';
const mailboxUrl = process.env['MAILBOX_URL'] ?? 'http://localhost:4080';

try {
  await runTour({ gatewayUrl, mailboxUrl, print: console.log });
} catch (error) {
  const { cause } = error as { cause?: { code?: string } };
  console.error(cause?.code === 'ECONNREFUSED' ? `\nNothing answers. Start the platform first: npm start` : `\n${String(error)}`);
  process.exit(1);
}
