import { Module } from '@nestjs/common';
import { RegistryModule } from '../../kernel/peers/registry/registry.module.js';
import { InstallsModule } from '../installs/installs.module.js';
import { ConversationsService } from './conversations.service.js';
import { ExtensionsService } from './extensions.service.js';
import { InstalledExtensionsService } from './installed-extensions.service.js';
import { MyExtensionsController } from './my-extensions.controller.js';
import { UserExtensionsController } from './user-extensions.controller.js';
import { WithheldAppsController } from './withheld-apps.controller.js';

/** Apps of users, and which of them they can call. */
@Module({
  imports: [InstallsModule, RegistryModule],
  controllers: [MyExtensionsController, UserExtensionsController, WithheldAppsController],
  providers: [ConversationsService, ExtensionsService, InstalledExtensionsService],
  exports: [ConversationsService, InstalledExtensionsService],
})
export class UserExtensionsModule {}
