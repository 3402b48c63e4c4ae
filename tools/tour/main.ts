import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { developmentEnvironment } from '@platform/platform';
import { runTour, type ClockMove } from './tour.js';

const gatewayUrl = process.env['GATEWAY_URL'] ?? 'http://localhost:4000';
// Only reads the credentials of this folder and does not generate any, because a platform elsewhere
// has others.
const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = existsSync('.data/dev.env')
  ? developmentEnvironment()
  : process.env;
const administrator = email && password ? { email, password } : undefined;
const panelUrl = process.env['PANEL_URL'] ?? 'http://localhost:4003';
const mailboxUrl = process.env['MAILBOX_URL'] ?? 'http://localhost:4080';

/**
 * URLs of the parts of the platform that runs from this folder; empty if the tour visits another
 * platform.
 */
function partsHere(): Record<string, string | undefined> {
  if (!existsSync('.data/run.json')) return {};
  const { urls = {} } = JSON.parse(readFileSync('.data/run.json', 'utf8')) as { urls?: Record<string, string> };
  return urls['auth-gateway'] === gatewayUrl ? urls : {};
}

/** Moves the billing clock in the database of the platform that runs from this folder. */
async function moveClock(by: ClockMove): Promise<void> {
  await promisify(execFile)(process.execPath, [resolve('dist/tools/billing.js'), 'clock', by]);
}

// Moves the clock only with test payments: with real payments the clock stays.
const { payments: paymentsUrl } = partsHere();

try {
  await runTour({
    gatewayUrl,
    panelUrl,
    mailboxUrl,
    administrator,
    paymentsUrl,
    moveClock: paymentsUrl ? moveClock : undefined,
    print: console.log,
  });
} catch (error) {
  const { cause } = error as { cause?: { code?: string } };
  console.error(
    cause?.code === 'ECONNREFUSED'
      ? `\nThe platform cannot be reached. Start it first: npm start`
      : `\n${String(error)}`,
  );
  process.exit(1);
}
