import { Module } from '@nestjs/common';
import { PermissionChanges } from './permission-changes.service.js';

/** Exports `PermissionChanges` to features that change the rights of users. */
@Module({ providers: [PermissionChanges], exports: [PermissionChanges] })
export class PermissionsModule {}
