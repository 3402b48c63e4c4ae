import { existsSync } from 'node:fs';
import { developmentEnvironment } from '@platform/platform';
import { runTour } from './tour.js';

const gatewayUrl = process.env['GATEWAY_URL'] ?? 'http://localhost:4000';
// Read, not made up: a platform elsewhere has other credentials.
const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = existsSync('.data/dev.env') ? developmentEnvironment() : process.env;
const administrator = email && password ? { email, password } : undefined;
const panelUrl = process.env['PANEL_URL'] ?? 'http://localhost:4003';
const mailboxUrl = process.env['MAILBOX_URL'] ?? 'http://localhost:4080';

try {
  await runTour({ gatewayUrl, panelUrl, mailboxUrl, administrator, print: console.log });
} catch (error) {
  const { cause } = error as { cause?: { code?: string } };
  console.error(cause?.code === 'ECONNREFUSED' ? `\nNothing answers. Start the platform first: npm start` : `\n${String(error)}`);
  process.exit(1);
}
