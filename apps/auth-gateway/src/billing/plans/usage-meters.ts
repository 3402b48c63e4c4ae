import { Injectable } from '@nestjs/common';
import type { CurrentPlan } from '@platform/billing';
import type { UserCaller } from '@platform/guards';

export interface Measured {
  used: number;
  /** Null without a limit. */
  limit: number | null;
}

/** How much of something the user has, and may have. */
export type Measure = (user: UserCaller, plan: CurrentPlan) => Promise<Measured>;

/** What plans limit and no counter counts, since it is what there is of it: each feature adds its own, such as automations. */
@Injectable()
export class UsageMeters {
  private readonly measures = new Map<string, Measure>();

  /** Call it in the constructor of a provider. */
  add(meter: string, measure: Measure): void {
    this.measures.set(meter, measure);
  }

  async measure(user: UserCaller, plan: CurrentPlan): Promise<Map<string, Measured>> {
    const measured = [...this.measures].map(async ([meter, measure]): Promise<[string, Measured]> => [meter, await measure(user, plan)]);
    return new Map(await Promise.all(measured));
  }
}
