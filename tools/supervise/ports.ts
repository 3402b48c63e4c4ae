import { connect, createServer } from 'node:net';
import type { Settings } from './settings.js';
import { StartError } from './start-error.js';

interface WantedPort {
  port: number;
  purpose: string;
  /** Environment variable that changes the port. */
  variable: string;
}

const LOOPBACK = '127.0.0.1';
const CONNECT_TIMEOUT_MS = 500;

/**
 * Checks that all ports are free.
 * @param ownPostgresPort port of a PostgreSQL of this folder that a killed run possibly left; the
 * embedded PostgreSQL can replace it
 * @throws StartError with every port that cannot be used and the variables that change it.
 */
export async function requireFreePorts(settings: Settings, ownPostgresPort?: number): Promise<void> {
  const wanted = wantedPorts(settings);
  const problems = twice(wanted);
  if (problems.length) throw new StartError(problems.join('\n'));
  const reasonOf = async (entry: WantedPort) =>
    entry.port === ownPostgresPort ? undefined : await reasonAgainst(entry, settings.host);
  const reasons = await Promise.all(wanted.map(reasonOf));
  const because = (reason: string) => wanted.filter((_entry, at) => reasons[at] === reason);
  const other = reasons.find((reason) => reason && reason !== 'EADDRINUSE' && reason !== 'EACCES');
  if (other)
    throw new StartError(
      `No service can listen on ${settings.host} (${other}). Set HOST to an address of this machine, or leave it out.`,
    );
  const [taken, privileged] = [because('EADDRINUSE'), because('EACCES')];
  const lines = [
    taken.length ? `${listed(taken)} taken. Stop what listens there, or set ${remedy(taken)}.` : '',
    privileged.length
      ? `${listed(privileged, 'needs', 'need')} more rights than this user has. Set ${remedy(privileged)}, above 1023.`
      : '',
  ].filter(Boolean);
  if (lines.length) throw new StartError(lines.join('\n'));
}

function twice(wanted: WantedPort[]): string[] {
  const seen = new Map<number, WantedPort>();
  return wanted.flatMap((entry) => {
    const other = seen.get(entry.port);
    seen.set(entry.port, other ?? entry);
    return other
      ? [
          `Port ${entry.port} is set for ${other.purpose} and for ${entry.purpose}. Set ${entry.variable} to another port.`,
        ]
      : [];
  });
}

function wantedPorts({ services, mailbox, paymentsPort, postgresPort }: Settings): WantedPort[] {
  return [
    ...services.flatMap(({ name, port, metricsPort, variable }) => [
      { port, purpose: name, variable },
      { port: metricsPort, purpose: `the metrics of ${name}`, variable },
    ]),
    ...(mailbox
      ? [
          { port: mailbox.smtpPort, purpose: "the mailbox's SMTP", variable: 'MAILBOX_SMTP_PORT' },
          { port: mailbox.webPort, purpose: "the mailbox's page", variable: 'MAILBOX_WEB_PORT' },
        ]
      : []),
    ...(paymentsPort ? [{ port: paymentsPort, purpose: 'the test payments', variable: 'PAYMENTS_PORT' }] : []),
    ...(postgresPort ? [{ port: postgresPort, purpose: 'PostgreSQL', variable: 'POSTGRES_PORT' }] : []),
  ];
}

/**
 * List of ports: `Port 4001 for registry is`, or `Ports 4000 for auth-gateway and 4001 for registry
 * are`.
 */
function listed(ports: WantedPort[], one = 'is', several = 'are'): string {
  const each = ports.map(({ port, purpose }) => `${port} for ${purpose}`);
  const last = each.pop() ?? '';
  return each.length ? `Ports ${each.join(', ')} and ${last} ${several}` : `Port ${last} ${one}`;
}

function remedy(ports: WantedPort[]): string {
  const variables = [...new Set(ports.map(({ variable }) => variable))];
  if (variables.length === 1) return `${variables[0]} to another port, or PORT_BASE to move all`;
  return `PORT_BASE to move all, or ${variables.slice(0, -1).join(', ')} and ${variables.at(-1)} to other ports`;
}

async function reasonAgainst({ port, purpose }: WantedPort, host: string): Promise<string | undefined> {
  return (await answers(port)) ? 'EADDRINUSE' : bindFailure(port, purpose === 'PostgreSQL' ? LOOPBACK : host);
}

/**
 * True if a program accepts connections on the port. A successful bind proves nothing on macOS: one
 * program can bind a port on all addresses and another on a single address; the first then still
 * answers.
 */
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
