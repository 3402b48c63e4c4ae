import { Module } from '@nestjs/common';
import { PermissionsModule } from '../permissions/permissions.module.js';
import { RolesController } from './roles.controller.js';
import { RolesService } from './roles.service.js';

@Module({ imports: [PermissionsModule], controllers: [RolesController], providers: [RolesService] })
export class RolesModule {}
