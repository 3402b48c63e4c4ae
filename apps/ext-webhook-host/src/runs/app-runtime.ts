import { Inject, Injectable } from '@nestjs/common';
import type { AppDocument } from '@platform/app-document';
import { compileApp } from '../steps/compile-app.js';
import { StepRuntime } from '../steps/step-runtime.js';
import type { CompiledApp, CompiledHandler, HandlerResult, HandlerRuntime, RunInput } from './handler-runtime.js';

/** Compiles the documents of apps and runs what they declare, in whichever way it is written. */
@Injectable()
export class AppRuntime implements HandlerRuntime {
  constructor(@Inject(StepRuntime) private readonly steps: StepRuntime) {}

  compile(document: AppDocument): CompiledApp {
    return compileApp(document);
  }

  run(handler: CompiledHandler, input: RunInput): Promise<HandlerResult> {
    return this.steps.run(handler, input);
  }
}
