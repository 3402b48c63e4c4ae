import { Module } from '@nestjs/common';
import { CallsModule } from '../calls/calls.module.js';
import { ConfirmationsController, OperationsController } from './confirmations.controller.js';
import { ConfirmationsService } from './confirmations.service.js';
import { OperationsService } from './operations.service.js';

/** Calls that wait for the confirmation of a person. */
@Module({
  imports: [CallsModule],
  controllers: [ConfirmationsController, OperationsController],
  providers: [ConfirmationsService, OperationsService],
})
export class ConfirmationsModule {}
