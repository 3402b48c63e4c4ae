import { Injectable } from '@nestjs/common';
import type { TenantData } from '@platform/persistence';

/**
 * Deletes the rows or the personal data that a feature has of a user. Runs in the transaction of
 * the account deletion.
 */
export type AccountDeletionStep = (tenant: TenantData, userId: string) => Promise<void>;

/**
 * Collects and runs the steps of account deletion. Each feature adds a step that deletes the data
 * of a user in its own tables. The row in `users` stays; the caller of `deleteUserData` changes it.
 */
@Injectable()
export class AccountDeletionService {
  private readonly accessSteps: AccountDeletionStep[] = [];
  private readonly dataSteps: AccountDeletionStep[] = [];

  /**
   * Adds a step that removes the user's ways to act, such as sessions, keys and rules. All access
   * steps run before the steps of `addDataStep`, so nothing writes again the data that those
   * delete. The order of access steps is not defined. Call it in the constructor of a provider.
   */
  addAccessStep(step: AccountDeletionStep): void {
    this.accessSteps.push(step);
  }

  /**
   * Adds a step that deletes data of the user, after all access steps. The order of data steps is
   * not defined. Call it in the constructor of a provider.
   */
  addDataStep(step: AccountDeletionStep): void {
    this.dataSteps.push(step);
  }

  /**
   * Runs all steps for a user, one after the other, in the caller's transaction. The caller must
   * hold a lock on the row of the user. If a step fails, the next ones do not run.
   *
   * @throws the error of the step.
   */
  async deleteUserData(tenant: TenantData, userId: string): Promise<void> {
    for (const step of [...this.accessSteps, ...this.dataSteps]) await step(tenant, userId);
  }
}

/**
 * Makes a step that deletes all rows of the user from the tables, one table after the other. Each
 * table needs a column `user_id`.
 */
export const rowsOfUser =
  (...tables: string[]): AccountDeletionStep =>
  async (tenant, userId) => {
    for (const table of tables) {
      await tenant.query(
        `DELETE FROM ${table} WHERE user_id = (SELECT id FROM users WHERE tenant_id = $tenant AND id = $1)`,
        [userId],
      );
    }
  };
