import { Module } from '@nestjs/common';
import { PermissionChangesService } from './permission-changes.service.js';

/** Exports `PermissionChangesService` to features that change the rights of users. */
@Module({ providers: [PermissionChangesService], exports: [PermissionChangesService] })
export class PermissionsModule {}
