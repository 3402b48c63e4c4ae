import { Module } from '@nestjs/common';
import { PermissionsModule } from '../permissions/permissions.module.js';
import { ScopesController } from './scopes.controller.js';
import { Scopes } from './scopes.service.js';

@Module({ imports: [PermissionsModule], controllers: [ScopesController], providers: [Scopes] })
export class ScopesModule {}
