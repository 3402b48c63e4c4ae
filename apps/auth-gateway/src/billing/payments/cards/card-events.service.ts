import { Injectable } from '@nestjs/common';
import { CardsService } from '@platform/billing';
import { ProviderEventsService } from '../provider-events/provider-events.service.js';

/** Updates saved cards after events of the provider. */
@Injectable()
export class CardEventsService {
  constructor(cards: CardsService, events: ProviderEventsService) {
    events.onEvent(/^payment_method\./, ({ objectId }) => cards.refreshCard(objectId));
  }
}
