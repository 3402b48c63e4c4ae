import { Module } from '@nestjs/common';
import { ExtensionHostModule } from '../kernel/peers/extension-host/extension-host.module.js';
import { DocumentPurges } from './installs/document-purges.js';
import { InstallCopies } from './installs/install-copies.js';
import { RegistryModule } from '../kernel/peers/registry/registry.module.js';
import { AccessPolicies } from './access/access-policies.service.js';
import { Conversations } from './installed/conversations.js';
import { ExtensionAccessController } from './access/extension-access.controller.js';
import { Extensions } from './installed/extensions.service.js';
import { InstalledExtensions } from './installed/installed-extensions.js';
import { MyExtensionsController } from './installed/my-extensions.controller.js';
import { UserExtensionsController } from './installed/user-extensions.controller.js';
import { WithheldAppsController } from './installed/withheld-apps.controller.js';

/** What of the marketplace a user has and may call. */
@Module({
  imports: [ExtensionHostModule, RegistryModule],
  controllers: [ExtensionAccessController, MyExtensionsController, UserExtensionsController, WithheldAppsController],
  providers: [AccessPolicies, Conversations, DocumentPurges, Extensions, InstallCopies, InstalledExtensions],
  exports: [Conversations, DocumentPurges, InstallCopies, InstalledExtensions],
})
export class ExtensionsModule {}
