import { Inject, Injectable } from '@nestjs/common';
import { FREE_PLAN, LIVE_STATUSES_SQL, PlanNoticesService, type PlanNotice } from '@platform/billing';
import { JobsService } from '@platform/messaging';
import { DataSource, type EntityManager } from 'typeorm';
import { CONFIG, type Config } from '../../config.js';
import { FeatureMailsRegistry } from '../../identity/mail/feature-mails.registry.js';
import { mailQueue } from '../../identity/mail/mail.jobs.js';
import type { Mail } from '../../identity/mail/mailer.service.js';
import {
  cardMissingMail,
  cardRefusedMail,
  planCancelledMail,
  unpaidPlanMail,
  type RecipientPlan,
} from './subscription-mail-texts.js';

/** SQL condition: the plan is cancelled, and no other paid plan has replaced it. */
const IS_CANCELLED = `s.cancel_at_period_end AND NOT EXISTS (
  SELECT FROM subscriptions o WHERE o.user_id = s.user_id AND o.id <> s.id AND o.status IN ${LIVE_STATUSES_SQL} AND o.plan_id <> '${FREE_PLAN}')`;

const MAILS: Record<PlanNotice['kind'], string | null> = {
  changed: null,
  resumed: null,
  change_scheduled: null,
  cancelled: 'plan-cancelled',
  card_missing: 'plan-card-missing',
  card_refused: 'plan-card-refused',
  ended_unpaid: 'plan-ended-unpaid',
};

/** Sends mails about cancelled plans, unpaid months, and plans that ended unpaid. */
@Injectable()
export class SubscriptionMailsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly jobs: JobsService,
    mails: FeatureMailsRegistry,
    notices: PlanNoticesService,
    @Inject(CONFIG) { PANEL_URL }: Config,
  ) {
    const subscription = `${PANEL_URL}/subscription`;
    const payments = `${PANEL_URL}/payments`;
    mails.registerWriter('plan-cancelled', (id) => this.writeMail(id, IS_CANCELLED, planCancelledMail, subscription));
    mails.registerWriter('plan-card-missing', (id) =>
      this.writeMail(id, "s.status = 'past_due'", cardMissingMail, payments),
    );
    mails.registerWriter('plan-card-refused', (id) =>
      this.writeMail(id, "s.status = 'past_due'", cardRefusedMail, payments),
    );
    mails.registerWriter('plan-ended-unpaid', (id) =>
      this.writeMail(id, "s.status = 'expired'", unpaidPlanMail, subscription),
    );
    notices.onNotice((em, notice) => this.enqueueMail(em, notice));
  }

  private async enqueueMail(em: EntityManager, { kind, subscriptionId }: PlanNotice): Promise<void> {
    const mail = MAILS[kind];
    if (mail !== null) await this.jobs.enqueue(em, mailQueue, 'feature', { kind: mail, id: subscriptionId });
  }

  /**
   * Writes a mail about a subscription. Null if `condition` no longer holds, or the user cannot
   * receive mails.
   */
  private async writeMail(
    id: string,
    condition: string,
    write: (plan: RecipientPlan, page: string) => Mail,
    page: string,
  ): Promise<Mail | null> {
    const [plan] = await this.dataSource.query<RecipientPlan[]>(
      `SELECT u.email, u.first_name AS "firstName", p.name AS "planName", s.period_ends_at AS "periodEndsAt", s.status NOT IN ${LIVE_STATUSES_SQL} AS "hasEnded"
       FROM subscriptions s JOIN plans p ON p.id = s.plan_id AND p.version = s.plan_version
       JOIN users u ON u.id = s.user_id AND u.is_active WHERE s.id = $1 AND ${condition}`,
      [id],
    );
    return plan ? write(plan, page) : null;
  }
}
