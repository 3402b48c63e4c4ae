import { Inject, Injectable } from '@nestjs/common';
import {
  AutoTopUpNoticesService,
  SentPaymentMailsRepository,
  PaymentStatusService,
  type PaymentRow,
} from '@platform/billing';
import { JobsService } from '@platform/messaging';
import { DataSource, type EntityManager } from 'typeorm';
import { CONFIG, type Config } from '../../../config.js';
import { FeatureMailsRegistry } from '../../../identity/mail/feature-mails.registry.js';
import { mailQueue } from '../../../identity/mail/mail.jobs.js';
import type { Mail } from '../../../identity/mail/mailer.service.js';
import {
  confirmationNeededMail,
  lowBalanceMail,
  paymentFailedMail,
  receiptMail,
  type LowBalance,
  type Receipt,
  type UnpaidPayment,
} from './payment-mail-texts.js';

/** Joins users that can receive mails. */
const RECIPIENT = 'JOIN users u ON u.id = p.user_id AND u.is_active';

/**
 * Sends mails about payments: a receipt for each paid one, and a notice for each automatic one that
 * failed or waits for the user, once for each status. Also sends a mail when credits run low, once
 * each time.
 */
@Injectable()
export class PaymentMailsService {
  private readonly page: string;
  private readonly wallet: string;

  constructor(
    private readonly dataSource: DataSource,
    private readonly jobs: JobsService,
    private readonly sent: SentPaymentMailsRepository,
    mails: FeatureMailsRegistry,
    paymentStatus: PaymentStatusService,
    notices: AutoTopUpNoticesService,
    @Inject(CONFIG) { PANEL_URL }: Config,
  ) {
    this.page = `${PANEL_URL}/payments`;
    this.wallet = `${PANEL_URL}/wallet`;
    mails.registerWriter('payment-receipt', (id) => this.writeReceipt(id));
    mails.registerWriter('payment-failed', (id) => this.writeUnpaid(id, 'failed', paymentFailedMail));
    mails.registerWriter('payment-open', (id) => this.writeUnpaid(id, 'open', confirmationNeededMail));
    mails.registerWriter('low-balance', (id) => this.writeLowBalance(id));
    paymentStatus.onChange((em, payment) => this.enqueueMails(em, payment));
    notices.onNotice(async (em, { kind, userId }) => {
      if (kind === 'low_balance')
        await this.jobs.enqueue(em, mailQueue, 'feature', { kind: 'low-balance', id: userId });
    });
  }

  private async enqueueMails(em: EntityManager, payment: PaymentRow): Promise<void> {
    const kind = kindOf(payment);
    if (kind === null) return;
    if (await this.sent.claim(em, payment)) await this.jobs.enqueue(em, mailQueue, 'feature', { kind, id: payment.id });
  }

  private async writeReceipt(id: string): Promise<Mail | null> {
    const [receipt] = await this.dataSource.query<Receipt[]>(
      `SELECT u.email, u.first_name AS "firstName", i.number, i.lines -> 0 ->> 'description' AS description, i.total_cents AS "totalCents", i.currency, p.purpose,
         EXISTS (SELECT FROM payment_refunds r WHERE r.payment_id = p.id AND r.reason = 'not_deliverable') AS "isGivenBack"
       FROM payments p JOIN invoices i ON i.payment_id = p.id AND i.kind = 'invoice' ${RECIPIENT} WHERE p.id = $1`,
      [id],
    );
    return receipt ? receiptMail(receipt, this.page) : null;
  }

  /**
   * Writes the mail about a low balance. Null if the balance is no longer low, or the user cannot
   * receive mails.
   */
  private async writeLowBalance(userId: string): Promise<Mail | null> {
    const [low] = await this.dataSource.query<LowBalance[]>(
      `SELECT u.email, u.first_name AS "firstName", greatest(w.balance - w.debt, 0)::float8 AS balance
       FROM wallets w JOIN users u ON u.id = w.user_id AND u.is_active
       WHERE w.user_id = $1 AND w.kind = 'user' AND w.balance - w.debt < w.low_mark`,
      [userId],
    );
    return low ? lowBalanceMail(low, this.wallet) : null;
  }

  /**
   * Writes a mail about a payment that failed or waits for the user. Null if its status has
   * changed, or the user cannot receive mails.
   */
  private async writeUnpaid(
    id: string,
    status: 'failed' | 'open',
    write: (payment: UnpaidPayment, page: string) => Mail,
  ): Promise<Mail | null> {
    const [payment] = await this.dataSource.query<UnpaidPayment[]>(
      `SELECT u.email, u.first_name AS "firstName", p.purpose, l.name AS "planName", p.credits::float8 AS credits, p.amount_cents AS "amountCents", p.currency,
         p.failure_message AS "failureMessage"
       FROM payments p ${RECIPIENT} LEFT JOIN plans l ON l.id = p.plan_id AND l.version = p.plan_version WHERE p.id = $1 AND p.status = $2`,
      [id, status],
    );
    return payment ? write(payment, this.page) : null;
  }
}

/**
 * Kind of the mail about the payment's status; null if no mail is needed. A user who pays in a
 * browser sees a decline there.
 */
function kindOf({ status, purpose }: PaymentRow): string | null {
  if (status === 'succeeded') return 'payment-receipt';
  const isWithoutUser = purpose === 'renewal' || purpose === 'auto_topup';
  return isWithoutUser && (status === 'failed' || status === 'open') ? `payment-${status}` : null;
}
