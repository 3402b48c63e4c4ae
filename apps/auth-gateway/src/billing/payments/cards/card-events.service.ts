import { Injectable } from '@nestjs/common';
import { Cards } from '@platform/billing';
import { ProviderEvents } from '../provider-events/provider-events.service.js';

/** Updates saved cards after events of the provider. */
@Injectable()
export class CardEvents {
  constructor(cards: Cards, events: ProviderEvents) {
    events.on(/^payment_method\./, ({ objectId }) => cards.refresh(objectId));
  }
}
