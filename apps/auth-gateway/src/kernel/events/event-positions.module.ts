import { Module } from '@nestjs/common';
import { EventPositionsService } from './event-positions.service.js';

/** Exports `EventPositionsService` to features that follow the event stream. */
@Module({ providers: [EventPositionsService], exports: [EventPositionsService] })
export class EventPositionsModule {}
