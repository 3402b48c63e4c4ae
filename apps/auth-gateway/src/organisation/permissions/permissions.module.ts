import { Module } from '@nestjs/common';
import { PermissionChanges } from './permission-changes.js';

/** For the features that change what users may do. */
@Module({ providers: [PermissionChanges], exports: [PermissionChanges] })
export class PermissionsModule {}
