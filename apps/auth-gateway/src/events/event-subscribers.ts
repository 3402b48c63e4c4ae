import { Inject, Injectable } from '@nestjs/common';
import type { EventSubscribersRequest, EventSubscribersResponse } from '@platform/contracts';
import { InstallationGrants } from '../extensions/installation-grants.js';

/** Which apps the events of a user reach: those that may act for the user. */
@Injectable()
export class EventSubscribers {
  constructor(@Inject(InstallationGrants) private readonly grants: InstallationGrants) {}

  /** None for a user who is not there, not active or of another tenant. */
  async find({ user_id, tenant_id, app_ids }: EventSubscribersRequest): Promise<EventSubscribersResponse> {
    return { app_ids: [...(await this.grants.of(user_id, tenant_id, app_ids)).keys()] };
  }
}
