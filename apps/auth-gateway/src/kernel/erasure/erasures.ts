import { Injectable } from '@nestjs/common';
import type { TenantData } from '@platform/persistence';

/** Deletes what a feature keeps of a user, or what tells who they were, in the transaction that erases them. */
export type ErasureStep = (tenant: TenantData, userId: string) => Promise<void>;

/** What goes with a user who is erased: a feature adds what `Users` does not know of. */
@Injectable()
export class Erasures {
  private readonly steps: ErasureStep[] = [];

  /** Call it while the feature is made. */
  add(step: ErasureStep): void {
    this.steps.push(step);
  }

  /** One after the other, in the order in which they were added. */
  async run(tenant: TenantData, userId: string): Promise<void> {
    for (const step of this.steps) await step(tenant, userId);
  }
}
