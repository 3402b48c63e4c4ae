import { Injectable } from '@nestjs/common';
import type { AppDocument } from '@platform/app-document';
import { ExtensionError } from '../extension-error.js';
import type { CompiledApp, CompiledHandler, HandlerResult, HandlerRuntime, RunInput } from './handler-runtime.js';

/** Compiles the documents of apps and runs what they declare. The interpreter comes here. */
@Injectable()
export class AppRuntime implements HandlerRuntime {
  compile(document: AppDocument): CompiledApp {
    const { functions, webhooks } = document.app;
    return {
      document,
      functions: new Map(functions.map((definition) => [definition.name, { kind: 'function', name: definition.name, definition }])),
      webhooks: webhooks.map((definition) => ({ kind: 'webhook', name: definition.path, definition })),
    };
  }

  run(_handler: CompiledHandler, _input: RunInput): Promise<HandlerResult> {
    return Promise.reject(new ExtensionError('RUNTIME_UNAVAILABLE', 'Handlers do not run yet.'));
  }
}
