import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { PauseReason, StopReason } from './auto-topup.entity.js';

interface OfUser {
  userId: string;
  tenantId: string;
}

/** What a user should hear of their credits. */
export type AutoTopUpNotice = OfUser &
  (
    | { kind: 'charged'; paymentId: string; credits: number; amountCents: number }
    /** Tried again after `until`. */
    | { kind: 'declined'; paymentId: string; why: string | null; until: Date }
    /** Of `authentication_required` the payment waits for its customer. */
    | { kind: 'stopped'; reason: StopReason; paymentId: string | null }
    | { kind: 'limit'; reason: PauseReason; until: Date }
    /** Nothing is bought by itself. */
    | { kind: 'low_balance'; balance: number; mark: number }
  );

/** Called in the transaction of what it is about. */
export type AutoTopUpListener = (em: EntityManager, notice: AutoTopUpNotice) => Promise<void>;

/** Tells whoever wants to hear of it, such as what writes to users. */
@Injectable()
export class AutoTopUpNotices {
  private readonly listeners: AutoTopUpListener[] = [];

  /** Call it in the constructor of a provider. */
  onNotice(listener: AutoTopUpListener): void {
    this.listeners.push(listener);
  }

  async tell(em: EntityManager, notice: AutoTopUpNotice): Promise<void> {
    for (const listener of this.listeners) await listener(em, notice);
  }
}
