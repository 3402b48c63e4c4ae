import { Module } from '@nestjs/common';
import { AvailabilityController } from './availability.controller.js';
import { Availability } from './availability.service.js';

/** Whether an address or a nickname is free. */
@Module({ controllers: [AvailabilityController], providers: [Availability] })
export class AvailabilityModule {}
