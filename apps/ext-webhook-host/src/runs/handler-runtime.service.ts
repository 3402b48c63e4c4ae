import { Inject, Injectable } from '@nestjs/common';
import type { CodeHandler } from '../code/host/code-handler.js';
import { CodeRuntimeService } from '../code/host/code-runtime.service.js';
import { StepRuntimeService } from '../steps/step-runtime.service.js';
import type { CompiledHandler, HandlerResult, HandlerRuntime, RunInput } from '../handlers/handler-runtime.js';

/** Runs each handler with the runtime of its form: steps or JavaScript. */
@Injectable()
export class HandlerRuntimeService implements HandlerRuntime {
  constructor(
    @Inject(StepRuntimeService) private readonly steps: HandlerRuntime,
    @Inject(CodeRuntimeService) private readonly code: HandlerRuntime,
  ) {}

  runHandler(handler: CompiledHandler, input: RunInput): Promise<HandlerResult> {
    return (isCode(handler) ? this.code : this.steps).runHandler(handler, input);
  }
}

const isCode = (handler: CompiledHandler): handler is CodeHandler => 'code' in handler;
