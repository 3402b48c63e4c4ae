import { Injectable } from '@nestjs/common';
import type { ResetConversationResponse } from '@platform/contracts';
import type { Caller } from '@platform/guards';
import { DataSource } from 'typeorm';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import { getExtensionOwner } from '../access/extension-owner.js';

export interface ClearedConversation {
  /** Number of deleted keys. */
  keysDeleted: number;
  /** True if a running session was ended. */
  sessionEnded: boolean;
}

/** Deletes the stored conversations of a user, and ends running sessions. Safe to run again. */
export type ConversationStore = (userId: string) => Promise<ClearedConversation>;

/**
 * Clears conversations of users. Each feature that stores some adds a function; no feature does so
 * far.
 */
@Injectable()
export class ConversationsService {
  private readonly stores: ConversationStore[] = [];

  constructor(private readonly dataSource: DataSource) {}

  /** Adds a function that deletes conversations. Call it in the constructor of a provider. */
  registerStore(store: ConversationStore): void {
    this.stores.push(store);
  }

  /**
   * Deletes the user's conversations, so that they start again. Money, billing, usage,
   * installations and sessions stay as they are.
   *
   * @throws AppError 404 `user.not_found` for an unknown user, and for a user of another tenant
   * than the administrator's.
   */
  async resetConversations(caller: Caller, userId: string): Promise<ResetConversationResponse> {
    const { tenantId } = await getExtensionOwner(caller, this.dataSource.manager, userId);
    let keysDeleted = 0;
    let sessionEnded = false;
    for (const clear of this.stores) {
      const cleared = await clear(userId);
      keysDeleted += cleared.keysDeleted;
      sessionEnded ||= cleared.sessionEnded;
    }
    const metadata = { keys_deleted: keysDeleted, session_restarted: sessionEnded };
    await recordAudit(this.dataSource.manager, {
      action: 'conversation.reset',
      target: { type: 'user', id: userId },
      tenantId,
      metadata,
    });
    return { status: 'reset', ...metadata };
  }
}
