import { randomBytes } from 'node:crypto';
import { freePorts, productionEnv, ServiceProcess } from '../smoke/service-process.js';
import type { TourOptions } from '../tour/tour.js';

export interface Surroundings {
  databaseUrl: string;
  redisUrl: string;
  smtpPort: number;
  /** URL of a mailbox that everybody can read. */
  mailboxUrl: string;
  gatewayUrl: string;
  panelUrl: string;
  gatewayPort: number;
  panelPort: number;
  /** Certificate of an authority that Node.js trusts in addition to its own. */
  authority: string;
}

/**
 * Built platform with one process of each kind, configured as docs/operations says, between these
 * servers.
 */
export class PeersPlatform {
  private readonly processes: ServiceProcess[] = [];
  readonly serviceToken = randomBytes(24).toString('base64url');
  readonly administrator = { email: 'admin@example.com', password: randomBytes(12).toString('base64url') };
  readonly addresses: Omit<TourOptions, 'print'>;

  constructor(private readonly around: Surroundings) {
    const { gatewayUrl, panelUrl, mailboxUrl } = around;
    this.addresses = { gatewayUrl, panelUrl, mailboxUrl, administrator: this.administrator };
  }

  /** Starts the processes and waits until all listen. @throws Error if one does not start. */
  async start(): Promise<void> {
    const { databaseUrl, redisUrl, smtpPort, gatewayUrl, panelUrl, gatewayPort, panelPort, authority } = this.around;
    const [registryPort, hostPort, ...metricsPorts] = (await freePorts(8)).map(String);
    const local = (port: number | string | undefined) => `http://127.0.0.1:${port}`;
    const { email, password } = this.administrator;
    const shared = {
      ...productionEnv(databaseUrl, this.serviceToken),
      NODE_EXTRA_CA_CERTS: authority,
      REDIS_URL: redisUrl,
      TRUSTED_PROXIES: 'loopback',
      RATE_LIMIT_SCALE: '1000', // all requests come from one address
      AUTH_GATEWAY_URL: local(gatewayPort),
      PANEL_URL: panelUrl,
    };
    const migrated = await ServiceProcess.run('tools/migrate.js', {
      ...shared,
      ADMIN_EMAIL: email,
      ADMIN_PASSWORD: password,
    });
    if (migrated !== 0) throw new Error(`npm run migrate ended with ${migrated}.`);
    const gateway = {
      ...shared,
      PUBLIC_URL: gatewayUrl,
      SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
      MAIL_FROM: 'Example <no-reply@example.com>',
      REGISTRY_URL: local(registryPort),
      REGISTRY_SERVICE_TOKEN: this.serviceToken,
      EXT_WEBHOOK_HOST_URL: local(hostPort),
      EXT_WEBHOOK_HOST_SERVICE_TOKEN: this.serviceToken,
    };
    const panel = {
      ...shared,
      PUBLIC_URL: panelUrl,
      EXT_WEBHOOK_HOST_URL: local(hostPort),
      GATEWAY_SERVICE_TOKEN: this.serviceToken,
    };
    const programs: [program: string, env: NodeJS.ProcessEnv, port?: number | string][] = [
      ['registry/src/main.js', shared, registryPort],
      ['auth-gateway/src/main.js', gateway, gatewayPort],
      ['ext-webhook-host/src/main.js', shared, hostPort],
      ['panel/src/main.js', panel, panelPort],
      ['auth-gateway/src/worker.js', gateway],
      ['ext-webhook-host/src/worker.js', shared],
    ];
    for (const [at, [program, env, port]] of programs.entries()) {
      const started = { ...env, METRICS_PORT: metricsPorts[at], ...(port !== undefined && { PORT: String(port) }) };
      this.processes.push(await ServiceProcess.start(`apps/${program}`, started));
    }
  }

  /** Log lines with warnings and errors. */
  complaints(): string[] {
    const lines = this.processes.flatMap(({ output }) => output.join('').split('\n'));
    return lines.filter(
      (line) => /"level":"(?:warn|error|fatal)"/.test(line) || (line !== '' && !line.startsWith('{')),
    );
  }

  /** Sends SIGTERM to all processes. @throws Error if one does not stop with exit code 0. */
  async stop(): Promise<void> {
    const codes = await Promise.all(this.processes.splice(0).map((process) => process.stop()));
    if (codes.some((code) => code !== 0)) throw new Error(`Not all exit codes are 0: ${codes.join()}`);
  }
}
