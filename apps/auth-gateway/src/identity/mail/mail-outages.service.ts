import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, ReadinessService } from '@platform/platform';
import type { Logger } from 'pino';
import { Gauge, Registry } from 'prom-client';
import { DataSource } from 'typeorm';

/** A shorter outage is not reported: it can be a restart of the mail server. */
const SHORT_SECONDS = 60;
const REMINDER_SECONDS = 600;

/**
 * Records the start of an outage of the mail server and reports it in the notes of `/readyz` and in
 * the metric `mail_outage_seconds`. The state is in the database, because the process that sends
 * mails is not the only one that reports it. The service stays ready: only mails wait.
 */
@Injectable()
export class MailOutagesService {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(LOGGER) private readonly logger: Logger,
    readiness: ReadinessService,
    registry: Registry,
  ) {
    readiness.addNote({ name: 'mail', read: () => this.describeOutage() });
    const seconds = () => this.getOutageSeconds();
    new Gauge({
      name: 'mail_outage_seconds',
      help: 'Seconds since the mail server began to refuse all mails; 0 while mails are sent',
      registers: [registry],
      async collect() {
        this.set(await seconds());
      },
    });
  }

  /**
   * Records an outage of the mail server: it lasts from the first call until `endOutage`. After a
   * minute it logs the outage, then every ten minutes. Call it for failures of the server, not of
   * one mail. Never rejects.
   */
  async recordOutage(reason: Error): Promise<void> {
    try {
      const [row] = await this.dataSource.query<{ seconds: number; tell: boolean }[]>(
        `INSERT INTO mail_outages AS o DEFAULT VALUES
         ON CONFLICT (is_one) DO UPDATE SET told_at = CASE
           WHEN o.since <= now() - $1 * interval '1 s' AND (o.told_at IS NULL OR o.told_at <= now() - $2 * interval '1 s') THEN now()
           ELSE o.told_at END
         RETURNING extract(epoch FROM now() - since)::int AS seconds, coalesce(told_at = now(), false) AS tell`,
        [SHORT_SECONDS, REMINDER_SECONDS],
      );
      if (row?.tell) this.logger.error({ err: reason, seconds: row.seconds }, `no mail goes out: ${getAdvice(reason)}`);
    } catch (error) {
      this.logger.warn({ err: error }, 'could not record that a mail failed');
    }
  }

  /**
   * Ends the outage, because a mail was sent. Does nothing if there is none. Never rejects: a
   * failed job would send the mail again.
   */
  async endOutage(): Promise<void> {
    try {
      const [ended] = await this.dataSource.query<[{ told_at: Date | null }[], number]>(
        'DELETE FROM mail_outages RETURNING told_at',
      );
      if (ended[0]?.told_at) this.logger.info('mails go out again');
    } catch (error) {
      this.logger.warn({ err: error }, 'could not record that a mail went out');
    }
  }

  private async getOutageSeconds(): Promise<number> {
    const [row] = await this.dataSource.query<{ seconds: number }[]>(
      'SELECT greatest(extract(epoch FROM now() - since), 0)::float AS seconds FROM mail_outages',
    );
    return row?.seconds ?? 0;
  }

  /**
   * Describes the outage for `/readyz`; `ok` if there is none or it is shorter than a minute. The
   * text is public, so it contains no details about the mail server.
   */
  private async describeOutage(): Promise<string> {
    const seconds = await this.getOutageSeconds();
    if (seconds < SHORT_SECONDS) return 'ok';
    return `No mail has gone out for ${Math.floor(seconds)} s; mails wait. The log of the process that runs jobs says why: "no mail goes out".`;
  }
}

const getAdvice = ({ message }: Error): string =>
  /certificate|self.signed/i.test(message)
    ? 'the certificate of the mail server is not trusted. Add its certificate authority to NODE_EXTRA_CA_CERTS, or set SMTP_TLS'
    : 'see err, SMTP_URL, SMTP_TLS and MAIL_FROM';
