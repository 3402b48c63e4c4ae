import type { AppDocument } from '@platform/app-document';
import type { CompiledApp, CompiledHandler, HandlerResult, HandlerRuntime, RunInput } from './handler-runtime.js';

/** Compiles the documents of apps and runs what they declare. */
export abstract class AppRuntime implements HandlerRuntime {
  abstract compile(document: AppDocument): CompiledApp;
  abstract run(handler: CompiledHandler, input: RunInput): Promise<HandlerResult>;
}
