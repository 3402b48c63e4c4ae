import { Injectable } from '@nestjs/common';
import { SystemExtensions } from '../calls/system-extensions.registry.js';
import { DeployIr } from './deploy-ir.provider.js';
import { PortalFunctions } from './portal-functions.provider.js';
import { SmokeIr } from './smoke-ir.provider.js';

/** The system extension `developer`: functions for developers. */
@Injectable()
export class DeveloperExtension {
  constructor(extensions: SystemExtensions, deployIr: DeployIr, smokeIr: SmokeIr, portal: PortalFunctions) {
    extensions.add({ appId: 'developer', functions: [deployIr.definition, smokeIr.definition, ...portal.definitions] });
  }
}
