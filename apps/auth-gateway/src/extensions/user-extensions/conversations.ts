import { Injectable } from '@nestjs/common';
import type { ResetConversationResponse } from '@platform/contracts';
import type { Caller } from '@platform/guards';
import { DataSource } from 'typeorm';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import { ownerFor } from '../access/extension-owner.js';

export interface ClearedConversation {
  /** How much was kept and is gone now. */
  keysDeleted: number;
  /** Whether something was running and was ended. */
  sessionEnded: boolean;
}

/** Forgets what a feature keeps of a user's conversations, and ends what runs of them. May run again. */
export type ConversationStore = (userId: string) => Promise<ClearedConversation>;

/** What is kept of conversations with users: by the features that hold one, each of which adds how to clear it. So far none does. */
@Injectable()
export class Conversations {
  private readonly stores: ConversationStore[] = [];

  constructor(private readonly dataSource: DataSource) {}

  /** Call it in the constructor of a provider. */
  add(store: ConversationStore): void {
    this.stores.push(store);
  }

  /**
   * Begins the user's conversations anew. Money, billing, usage, installs and who is signed in stay as they are.
   *
   * @throws AppError 404 for a user of another tenant than the administrator's.
   */
  async reset(caller: Caller, userId: string): Promise<ResetConversationResponse> {
    const { tenantId } = await ownerFor(caller, this.dataSource.manager, userId);
    let keysDeleted = 0;
    let sessionEnded = false;
    for (const clear of this.stores) {
      const cleared = await clear(userId);
      keysDeleted += cleared.keysDeleted;
      sessionEnded ||= cleared.sessionEnded;
    }
    const metadata = { keys_deleted: keysDeleted, session_restarted: sessionEnded };
    await recordAudit(this.dataSource.manager, { action: 'conversation.reset', target: { type: 'user', id: userId }, tenantId, metadata });
    return { status: 'reset', ...metadata };
  }
}
