import { Module } from '@nestjs/common';
import { Portal } from './portal.js';
import { PortalController } from './portal.controller.js';

/** The payment provider's own page for a user. */
@Module({ controllers: [PortalController], providers: [Portal] })
export class PortalModule {}
