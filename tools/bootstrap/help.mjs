export const HELP = `Brings up the whole platform on this machine: PostgreSQL, the services, the web panel, a
local mailbox and test payments.

  npm start                   start, and stop with Ctrl-C
  npm run dev                 the same, and restart the services when a source file changes
  npm start -- --help         this text

The data is in .data/; delete that folder to start with an empty database. Development credentials are in .data/dev.env, logs in .data/logs/.

These environment variables replace the embedded parts:

  DATABASE_URL                your own PostgreSQL, as postgres://user:password@host:port/database
  REDIS_URL                   queues, events and rate limits on Redis instead of PostgreSQL
  STRIPE_SECRET_KEY           payments by Stripe instead of the local fake; needs STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRETS
  SMTP_URL                    a mail server instead of the local mailbox, as smtp://user:password@host:port

These change where the platform listens:

  HOST                        the address of the services (127.0.0.1)
  PORT_BASE                   the first port; all ports below move with it (4000)
  PANEL_PORT                  the web panel (4003)
  AUTH_GATEWAY_PORT           the gateway (4000); a service serves its metrics 100 above its port
  REGISTRY_PORT               the registry (4001)
  EXT_WEBHOOK_HOST_PORT       the extension host (4002)
  MAILBOX_WEB_PORT            the mailbox's page and JSON (4080)
  MAILBOX_SMTP_PORT           the mailbox's SMTP (4025)
  PAYMENTS_PORT               the fake of Stripe (4042)
  POSTGRES_PORT               the embedded PostgreSQL (4054)

And these change what it prints:

  LOG_LEVEL                   log level of the services: fatal, error, warn, info, debug or silent (info)
  NO_COLOR                    no colours
`;
