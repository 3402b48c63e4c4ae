import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/** What a user, and whoever works for them, should hear of their plan. */
export type PlanNotice = { userId: string; tenantId: string; subscriptionId: string } & (
  | { kind: 'changed'; from: string; to: string }
  /** It ends with its period. */
  | { kind: 'cancelled'; plan: string; endsAt: Date }
  /** It was cancelled, and goes on after all. */
  | { kind: 'resumed'; plan: string }
  /** A smaller plan takes its place when its period ends. */
  | { kind: 'change_scheduled'; from: string; to: string }
  | { kind: UnpaidNotice; plan: string }
);

/**
 * Why a period was not paid. `card_missing`: there is no saved card. `card_refused`: no payment could be begun with the card, so no payment says why.
 * `ended_unpaid`: the days of grace are over, and the plan has ended.
 */
export type UnpaidNotice = 'card_missing' | 'card_refused' | 'ended_unpaid';

/** Called in the transaction of what it is about. */
export type PlanListener = (em: EntityManager, notice: PlanNotice) => Promise<void>;

/** Tells whoever wants to hear of it, such as what writes to users. */
@Injectable()
export class PlanNotices {
  private readonly listeners: PlanListener[] = [];

  /** Call it in the constructor of a provider. */
  onNotice(listener: PlanListener): void {
    this.listeners.push(listener);
  }

  async tell(em: EntityManager, notice: PlanNotice): Promise<void> {
    for (const listener of this.listeners) await listener(em, notice);
  }
}
