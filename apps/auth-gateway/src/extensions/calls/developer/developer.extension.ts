import { Inject, Injectable } from '@nestjs/common';
import { SystemExtensions, type SystemFunction } from '../system-extension.js';
import { DeployIr } from './deploy-ir.js';

const SMOKE_IR: SystemFunction = {
  name: 'smoke_ir',
  description: 'Runs one function of an app document against a fresh store, without any effect.',
  action_type: 'read',
  params_schema: {
    type: 'object',
    required: ['ir_dict', 'function'],
    properties: { ir_dict: {}, function: { type: 'string' }, args: { type: 'object' } },
  },
  unavailable: 'Functions of app documents do not run on this platform yet.',
  handler: () => Promise.resolve({}),
};

/** The system extension `developer`: what developers do, as functions. */
@Injectable()
export class DeveloperExtension {
  constructor(@Inject(SystemExtensions) extensions: SystemExtensions, @Inject(DeployIr) deployIr: DeployIr) {
    extensions.add({ appId: 'developer', functions: [deployIr.definition, SMOKE_IR] });
  }
}
