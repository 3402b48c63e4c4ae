import { Module } from '@nestjs/common';
import { PermissionsModule } from '../permissions/permissions.module.js';
import { ScopesController } from './scopes.controller.js';
import { ScopesService } from './scopes.service.js';

@Module({ imports: [PermissionsModule], controllers: [ScopesController], providers: [ScopesService] })
export class ScopesModule {}
