import { createHash } from 'node:crypto';
import type { CompiledHandler } from '../../handlers/handler-runtime.js';
import type { CodeModules } from '../protocol.js';

/** The modules of a version, with a hash of all of them. */
export interface AppCode {
  readonly hash: string;
  readonly modules: CodeModules;
}

/** A handler written in JavaScript: what a module exports as `entry`. */
export interface CodeHandler extends CompiledHandler {
  readonly code: { readonly module: string; readonly entry: string; readonly app: AppCode };
}

export function appCode(modules: CodeModules): AppCode {
  const hash = createHash('sha256');
  for (const name of Object.keys(modules).sort()) hash.update(JSON.stringify([name, modules[name]]));
  return { hash: hash.digest('hex'), modules };
}
