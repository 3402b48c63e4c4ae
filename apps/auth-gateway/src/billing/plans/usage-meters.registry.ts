import { Injectable } from '@nestjs/common';
import type { CurrentPlan } from '@platform/billing';
import type { UserCaller } from '@platform/guards';

export interface MeterReading {
  used: number;
  /** Null if there is no limit. */
  limit: number | null;
}

/** Measures how many of something a user has, and the limit. */
export type ReadMeter = (user: UserCaller, plan: CurrentPlan) => Promise<MeterReading>;

/**
 * Meters of plans for things that exist and are not counted per period, for example automations.
 * Each feature adds its own meter.
 */
@Injectable()
export class UsageMetersRegistry {
  private readonly measures = new Map<string, ReadMeter>();

  /**
   * Adds a meter, under the name that plans and the API use. Call this in the constructor of a
   * provider.
   */
  registerMeter(meter: string, measure: ReadMeter): void {
    this.measures.set(meter, measure);
  }

  async measureUsage(user: UserCaller, plan: CurrentPlan): Promise<Map<string, MeterReading>> {
    const measured = [...this.measures].map(async ([meter, measure]): Promise<[string, MeterReading]> => [
      meter,
      await measure(user, plan),
    ]);
    return new Map(await Promise.all(measured));
  }
}
