import { Injectable } from '@nestjs/common';
import type { TenantData } from '@platform/persistence';

/**
 * Deletes the rows or the personal data that a feature has of a user. Runs in the transaction of
 * the account deletion.
 */
export type ErasureStep = (tenant: TenantData, userId: string) => Promise<void>;

/**
 * Steps of account deletion. Each feature adds a step for its own tables; the row in `users` is not
 * covered.
 */
@Injectable()
export class Erasures {
  private readonly accessSteps: ErasureStep[] = [];
  private readonly dataSteps: ErasureStep[] = [];

  /**
   * Adds a step that ends access of the user, such as sessions, keys and rules. All access steps
   * run before the steps of `addDataStep`, so nothing writes again the data that those delete. The
   * order of access steps is not defined. Call it in the constructor of a provider.
   */
  addAccessStep(step: ErasureStep): void {
    this.accessSteps.push(step);
  }

  /**
   * Adds a step that deletes data of the user. The order of data steps is not defined. Call it in
   * the constructor of a provider.
   */
  addDataStep(step: ErasureStep): void {
    this.dataSteps.push(step);
  }

  /**
   * Runs all steps, one after the other, in the caller's transaction. The caller must hold a lock
   * on the row of the user.
   */
  async run(tenant: TenantData, userId: string): Promise<void> {
    for (const step of [...this.accessSteps, ...this.dataSteps]) await step(tenant, userId);
  }
}

/**
 * Step that deletes all rows with this `user_id` from each of the tables, one table after the
 * other.
 */
export const rowsOfUser =
  (...tables: string[]): ErasureStep =>
  async (tenant, userId) => {
    for (const table of tables) {
      await tenant.query(`DELETE FROM ${table} WHERE user_id = (SELECT id FROM users WHERE tenant_id = $tenant AND id = $1)`, [userId]);
    }
  };
