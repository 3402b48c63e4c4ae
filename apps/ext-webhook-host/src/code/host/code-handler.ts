import { createHash } from 'node:crypto';
import type { CompiledHandler } from '../../handlers/handler-runtime.js';
import type { CodeModules } from '../protocol.js';

/** Modules of a version, with a hash over all of them. */
export interface AppCode {
  readonly hash: string;
  readonly modules: CodeModules;
}

/** A JavaScript handler: the export `entry` of a module. */
export interface CodeHandler extends CompiledHandler {
  readonly code: { readonly module: string; readonly entry: string; readonly app: AppCode };
}

export function appCode(modules: CodeModules): AppCode {
  const hash = createHash('sha256');
  for (const name of Object.keys(modules).sort()) hash.update(JSON.stringify([name, modules[name]]));
  return { hash: hash.digest('hex'), modules };
}
