import { Inject, Injectable } from '@nestjs/common';
import { CardsService, EXPIRING_BATCH } from '@platform/billing';
import { JobsService, MaintenanceTasksService } from '@platform/messaging';
import { runInTurn, Outbox } from '@platform/persistence';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from '../../../config.js';
import { FeatureMailsRegistry } from '../../../identity/mail/feature-mails.registry.js';
import { mailQueue } from '../../../identity/mail/mail.jobs.js';
import type { Mail } from '../../../identity/mail/mailer.service.js';
import { greeting, mail, type Recipient } from '../../../identity/mail/templates.js';

const SIX_HOURS_MS = 6 * 3_600_000;
const KIND = 'card-expiring';

/** Sends a mail before a card expires that pays without the user, once for each expiry date. */
@Injectable()
export class CardExpiryWorker {
  private readonly page: string;

  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly jobs: JobsService,
    private readonly cards: CardsService,
    mails: FeatureMailsRegistry,
    tasks: MaintenanceTasksService,
    @Inject(CONFIG) { PANEL_URL }: Config,
  ) {
    this.page = `${PANEL_URL}/payments`;
    mails.registerWriter(KIND, (id) => this.writeMail(id));
    tasks.scheduleTask(SIX_HOURS_MS, 'expiring-cards', () => this.notifyOfExpiringCards(), { atStart: true });
  }

  async notifyOfExpiringCards(): Promise<void> {
    await runInTurn([() => this.notifyBatch()], { full: EXPIRING_BATCH });
  }

  private notifyBatch(): Promise<number> {
    return this.outbox.transaction(async (em) => {
      const expiring = await this.cards.claimExpiringCards(em);
      for (const id of expiring) await this.jobs.enqueue(em, mailQueue, 'feature', { kind: KIND, id });
      return expiring.length;
    });
  }

  /**
   * Writes the mail about a card. Null if the card is gone, no longer pays or has another expiry
   * date, or if the user cannot receive mails.
   */
  private async writeMail(id: string): Promise<Mail | null> {
    const [card] = await this.dataSource.query<ExpiringCard[]>(
      `SELECT u.email, u.first_name AS "firstName", m.brand, m.last4, m.exp_month AS month, m.exp_year AS year
       FROM payment_methods m JOIN users u ON u.id = m.user_id AND u.is_active
       WHERE m.id = $1 AND m.expiry_told
         AND (m.is_default OR EXISTS (SELECT FROM auto_topups a WHERE a.user_id = m.user_id AND a.enabled AND a.payment_method_id = m.id))`,
      [id],
    );
    return card ? cardExpiringMail(card, this.page) : null;
  }
}

interface ExpiringCard extends Recipient {
  brand: string;
  last4: string;
  month: number;
  year: number;
}

const cardExpiringMail = ({ brand, last4, month, year, ...to }: ExpiringCard, page: string): Mail =>
  mail(to, 'Your card expires soon', {
    greeting: greeting(to),
    paragraphs: [
      `Your card ${brand} that ends in ${last4} expires at the end of ${String(month).padStart(2, '0')}/${year}. It is used for automatic payments of your account.`,
      'Save another card before then, so that your plan and your automatic top-ups continue.',
    ],
    action: { label: 'Look at my cards', url: page },
    note: 'You get this mail because a saved card is used for automatic payments of your account.',
  });
