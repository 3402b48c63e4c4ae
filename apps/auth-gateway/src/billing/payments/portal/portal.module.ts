import { Module } from '@nestjs/common';
import { Portal } from './portal.service.js';
import { PortalController } from './portal.controller.js';

@Module({ controllers: [PortalController], providers: [Portal] })
export class PortalModule {}
