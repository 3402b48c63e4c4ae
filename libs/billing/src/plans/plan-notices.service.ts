import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/** Change of a plan that the user, and programs that work for the user, are told about. */
export type PlanNotice = { userId: string; tenantId: string; subscriptionId: string } & (
  | { kind: 'changed'; from: string; to: string }
  /** The plan ends with its period. */
  | { kind: 'cancelled'; plan: string; endsAt: Date }
  /** The user reverted the cancellation. */
  | { kind: 'resumed'; plan: string }
  /** A smaller plan replaces this one when the period ends. */
  | { kind: 'change_scheduled'; from: string; to: string }
  | { kind: UnpaidNotice; plan: string }
);

/**
 * Reason for an unpaid period. `card_missing`: the user has no saved card. `card_refused`: no
 * payment could be started with the card, so no payment row has the reason. `ended_unpaid`: the
 * grace period is over and the plan has ended.
 */
export type UnpaidNotice = 'card_missing' | 'card_refused' | 'ended_unpaid';

/** Runs in the transaction of the change. An error aborts that transaction. */
export type PlanListener = (em: EntityManager, notice: PlanNotice) => Promise<void>;

/** Passes notices about plans to listeners, for example to the mails. */
@Injectable()
export class PlanNoticesService {
  private readonly listeners: PlanListener[] = [];

  /** Adds a listener for all notices about plans. Call this in the constructor of a provider. */
  onNotice(listener: PlanListener): void {
    this.listeners.push(listener);
  }

  async notify(em: EntityManager, notice: PlanNotice): Promise<void> {
    for (const listener of this.listeners) await listener(em, notice);
  }
}
