import { Module } from '@nestjs/common';
import { ExtensionHostModule } from '../kernel/peers/extension-host/extension-host.module.js';
import { DocumentPurges } from './installs/document-purges.js';
import { InstallCopies } from './installs/install-copies.js';
import { RegistryModule } from '../kernel/peers/registry/registry.module.js';
import { AccessPolicies } from './access-policies.service.js';
import { Conversations } from './conversations.js';
import { ExtensionAccessController } from './extension-access.controller.js';
import { Extensions } from './extensions.service.js';
import { InstalledExtensions } from './installed-extensions.js';
import { MyExtensionsController } from './my-extensions.controller.js';
import { UserExtensionsController } from './user-extensions.controller.js';
import { WithheldAppsController } from './withheld-apps.controller.js';

/** What of the marketplace a user has and may call. */
@Module({
  imports: [ExtensionHostModule, RegistryModule],
  controllers: [ExtensionAccessController, MyExtensionsController, UserExtensionsController, WithheldAppsController],
  providers: [AccessPolicies, Conversations, DocumentPurges, Extensions, InstallCopies, InstalledExtensions],
  exports: [Conversations, DocumentPurges, InstallCopies, InstalledExtensions],
})
export class ExtensionsModule {}
