import { Injectable } from '@nestjs/common';
import type { TenantData } from '@platform/persistence';

/** Deletes what a feature keeps of a user, or what tells who they were, in the transaction that erases them. */
export type ErasureStep = (tenant: TenantData, userId: string) => Promise<void>;

/** What is erased of a user besides their row in `users`: each feature adds a step for its own tables. */
@Injectable()
export class Erasures {
  private readonly accessSteps: ErasureStep[] = [];
  private readonly dataSteps: ErasureStep[] = [];

  /**
   * Adds a step that ends what acts for the user, such as sessions, keys and rules. All of these steps run before those of `addDataStep`, so that
   * nothing writes again what those delete. They may run in any order. Call it in the constructor of a provider.
   */
  addAccessStep(step: ErasureStep): void {
    this.accessSteps.push(step);
  }

  /** Adds a step that deletes what is kept of the user. These may run in any order. Call it in the constructor of a provider. */
  addDataStep(step: ErasureStep): void {
    this.dataSteps.push(step);
  }

  /** One step after the other, in the caller's transaction, which holds the user's row. */
  async run(tenant: TenantData, userId: string): Promise<void> {
    for (const step of [...this.accessSteps, ...this.dataSteps]) await step(tenant, userId);
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
