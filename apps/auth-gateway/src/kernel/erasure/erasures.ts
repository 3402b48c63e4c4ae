import { Injectable } from '@nestjs/common';
import type { TenantData } from '@platform/persistence';

/** Deletes what a feature keeps of a user, or what tells who they were, in the transaction that erases them. */
export type ErasureStep = (tenant: TenantData, userId: string) => Promise<void>;

/** What is erased of a user besides their row in `users`: each feature adds a step for its own tables. */
@Injectable()
export class Erasures {
  private readonly firstSteps: ErasureStep[] = [];
  private readonly steps: ErasureStep[] = [];

  /**
   * Adds a step for what acts for the user, such as sessions and rules. All of these run before those of `add`, so that nothing can write
   * more of what those delete. They may run in any order. Call it while the feature is made.
   */
  addFirst(step: ErasureStep): void {
    this.firstSteps.push(step);
  }

  /** Adds a step for what is kept of the user. These may run in any order. Call it while the feature is made. */
  add(step: ErasureStep): void {
    this.steps.push(step);
  }

  /** One step after the other, in the caller's transaction, which holds the user's row. */
  async run(tenant: TenantData, userId: string): Promise<void> {
    for (const step of [...this.firstSteps, ...this.steps]) await step(tenant, userId);
  }
}

/** The step that deletes every row of these tables whose `user_id` is the user, one table after the other. */
export const rowsOfUser =
  (...tables: string[]): ErasureStep =>
  async (tenant, userId) => {
    for (const table of tables) {
      await tenant.query(`DELETE FROM ${table} WHERE user_id = (SELECT id FROM users WHERE tenant_id = $tenant AND id = $1)`, [userId]);
    }
  };
