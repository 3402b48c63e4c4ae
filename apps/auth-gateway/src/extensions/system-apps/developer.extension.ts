import { Injectable } from '@nestjs/common';
import { SystemExtensionsRegistry } from '../calls/system-extensions.registry.js';
import { DeployIrProvider } from './deploy-ir.provider.js';
import { PortalFunctionsProvider } from './portal-functions.provider.js';
import { SmokeIrProvider } from './smoke-ir.provider.js';

/** The system extension `developer`: functions for developers. */
@Injectable()
export class DeveloperExtension {
  constructor(
    extensions: SystemExtensionsRegistry,
    deployIr: DeployIrProvider,
    smokeIr: SmokeIrProvider,
    portal: PortalFunctionsProvider,
  ) {
    extensions.registerExtension({
      appId: 'developer',
      functions: [deployIr.definition, smokeIr.definition, ...portal.definitions],
    });
  }
}
