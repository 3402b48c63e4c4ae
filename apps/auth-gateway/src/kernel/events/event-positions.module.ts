import { Module } from '@nestjs/common';
import { EventPositions } from './event-positions.js';

/** For who follows events. */
@Module({ providers: [EventPositions], exports: [EventPositions] })
export class EventPositionsModule {}
