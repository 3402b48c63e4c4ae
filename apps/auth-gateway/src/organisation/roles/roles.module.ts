import { Module } from '@nestjs/common';
import { PermissionsModule } from '../permissions/permissions.module.js';
import { RolesController } from './roles.controller.js';
import { Roles } from './roles.service.js';

@Module({ imports: [PermissionsModule], controllers: [RolesController], providers: [Roles] })
export class RolesModule {}
