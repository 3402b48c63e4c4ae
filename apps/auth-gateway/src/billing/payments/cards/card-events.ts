import { Injectable } from '@nestjs/common';
import { Cards } from '@platform/billing';
import { ProviderEvents } from '../provider-events/provider-events.js';

/** Keeps what is known of cards as the provider has it. */
@Injectable()
export class CardEvents {
  constructor(cards: Cards, events: ProviderEvents) {
    events.on(/^payment_method\./, ({ objectId }) => cards.refresh(objectId));
  }
}
