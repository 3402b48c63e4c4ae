import { Module } from '@nestjs/common';
import { AvailabilityController } from './availability.controller.js';
import { Availability } from './availability.service.js';

@Module({ controllers: [AvailabilityController], providers: [Availability] })
export class AvailabilityModule {}
