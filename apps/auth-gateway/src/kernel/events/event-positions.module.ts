import { Module } from '@nestjs/common';
import { EventPositions } from './event-positions.service.js';

/** Exports `EventPositions` to features that follow the event stream. */
@Module({ providers: [EventPositions], exports: [EventPositions] })
export class EventPositionsModule {}
