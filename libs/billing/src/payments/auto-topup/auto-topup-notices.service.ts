import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { PauseReason, StopReason } from './auto-topup.entity.js';

interface UserReference {
  userId: string;
  tenantId: string;
}

/** Event of a user's automatic top-ups or low balance that the user is told about. */
export type AutoTopUpNotice = UserReference &
  (
    | { kind: 'charged'; paymentId: string; credits: number; amountCents: number }
    /** Retried after `until`. */
    | { kind: 'declined'; paymentId: string; why: string | null; until: Date }
    /** For the reason `authentication_required` the payment waits for the customer. */
    | { kind: 'stopped'; reason: StopReason; paymentId: string | null }
    | { kind: 'limit'; reason: PauseReason; until: Date }
    /** The balance is low and automatic top-ups are off. */
    | { kind: 'low_balance'; balance: number; mark: number }
  );

/** Runs in the transaction of the event. An error aborts that transaction. */
export type AutoTopUpListener = (em: EntityManager, notice: AutoTopUpNotice) => Promise<void>;

/** Passes notices to listeners, for example to the mails. */
@Injectable()
export class AutoTopUpNoticesService {
  private readonly listeners: AutoTopUpListener[] = [];

  /** Adds a listener for all notices. Call this in the constructor of a provider. */
  onNotice(listener: AutoTopUpListener): void {
    this.listeners.push(listener);
  }

  async notify(em: EntityManager, notice: AutoTopUpNotice): Promise<void> {
    for (const listener of this.listeners) await listener(em, notice);
  }
}
