import { connect, createServer } from 'node:net';
import type { Settings } from './settings.js';
import { StartError } from './start-error.js';

interface WantedPort {
  port: number;
  purpose: string;
  /** The environment variable that changes it. */
  variable: string;
}

const LOOPBACK = '127.0.0.1';
const CONNECT_TIMEOUT_MS = 500;

/**
 * Throws unless everything can listen where it is to listen. PostgreSQL's port is not tried: a killed run may have left a server there,
 * which the embedded PostgreSQL knows how to replace.
 *
 * @throws StartError that says which port it is and how to choose another.
 */
export async function requireFreePorts(settings: Settings): Promise<void> {
  const wanted = wantedPorts(settings);
  const seen = new Map<number, WantedPort>();
  for (const entry of [...wanted, ...postgresPort(settings)]) {
    const other = seen.get(entry.port);
    if (other)
      throw new StartError(
        `Port ${entry.port} is wanted by ${other.purpose} and by ${entry.purpose}. Set ${entry.variable} to another one.`,
      );
    seen.set(entry.port, entry);
  }
  for (const entry of wanted) await requireFree(entry, settings.host);
}

function wantedPorts({ services, mailbox }: Settings): WantedPort[] {
  const ofServices = services.flatMap(({ name, port, metricsPort, variable }) => [
    { port, purpose: name, variable },
    { port: metricsPort, purpose: `the metrics of ${name}`, variable },
  ]);
  if (!mailbox) return ofServices;
  return [
    ...ofServices,
    { port: mailbox.smtpPort, purpose: "the mailbox's SMTP", variable: 'MAILBOX_SMTP_PORT' },
    { port: mailbox.webPort, purpose: "the mailbox's page", variable: 'MAILBOX_WEB_PORT' },
  ];
}

const postgresPort = ({ postgresPort: port }: Settings): WantedPort[] =>
  port ? [{ port, purpose: 'PostgreSQL', variable: 'POSTGRES_PORT' }] : [];

async function requireFree({ port, purpose, variable }: WantedPort, host: string): Promise<void> {
  const reason = (await answers(port)) ? 'EADDRINUSE' : await bindFailure(port, host);
  if (!reason) return;
  if (reason === 'EADDRINUSE') {
    throw new StartError(`Port ${port} for ${purpose} is taken. Stop what listens there, or set ${variable} to another port.`);
  }
  if (reason === 'EACCES')
    throw new StartError(`Port ${port} for ${purpose} needs more rights than this user has. Set ${variable} to a port above 1023.`);
  throw new StartError(`Nothing can listen on ${host} (${reason}). Set HOST to an address of this machine, or leave it out.`);
}

/** macOS lets two programs bind the same port, one on all addresses and one on a single address; the first then still answers. */
function answers(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect({ port, host: LOOPBACK, timeout: CONNECT_TIMEOUT_MS });
    const finish = (result: boolean) => {
      socket.destroy();
      done(result);
    };
    socket.once('connect', () => finish(true));
    socket.once('timeout', () => finish(false));
    socket.once('error', () => finish(false));
  });
}

function bindFailure(port: number, host: string): Promise<string | undefined> {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', ({ code, message }: NodeJS.ErrnoException) => done(code ?? message));
    server.listen(port, host, () => server.close(() => done(undefined)));
  });
}
