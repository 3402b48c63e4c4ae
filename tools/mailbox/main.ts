import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Mailbox } from './mailbox.js';

// This file runs as dist/tools/mailbox/main.js, but serves the page from the sources.
const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
const webPort = Number(process.env['MAILBOX_WEB_PORT'] ?? 4080);
const smtpPort = Number(process.env['MAILBOX_SMTP_PORT'] ?? 4025);

if (process.env['NODE_ENV'] === 'production') {
  console.error(
    'The mailbox is for development: it shows all mail to everybody who reaches it. In production set SMTP_URL.',
  );
  process.exit(1);
}
try {
  const mailbox = await Mailbox.start({
    smtpPort,
    webPort,
    host: process.env['MAILBOX_HOST'],
    file: process.env['MAILBOX_FILE'] ?? join(root, '.data', 'mailbox.jsonl'),
    pageDirectory: join(root, 'tools', 'mailbox', 'page'),
  });
  const stop = () => void mailbox.stop().finally(() => process.exit(0));
  for (const event of ['SIGTERM', 'SIGINT', 'disconnect']) process.once(event, stop);
  console.log(`The mailbox takes mail at ${mailbox.smtpUrl} and shows it at ${mailbox.webUrl}`);
  process.send?.({ listening: webPort });
} catch (error) {
  const { code, port, message } = error as NodeJS.ErrnoException & { port?: number };
  const taken = `Port ${port} is taken, so the mailbox cannot start. Free it, or set MAILBOX_SMTP_PORT or MAILBOX_WEB_PORT.`;
  console.error(code === 'EADDRINUSE' ? taken : `The mailbox cannot start: ${message}`);
  process.exit(1);
}
