import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';
import { Cancellation, type CancellationSignal } from './speed/cancellation.js';

/**
 * Parameter decorator: a signal that is aborted if the client disconnects before it has the whole
 * response.
 */
export const DisconnectSignal = createParamDecorator(
  (_data: unknown, context: ExecutionContext): CancellationSignal => {
    const response = context.switchToHttp().getResponse<Response>();
    const gone = new Cancellation();
    response.once('close', () => {
      if (!response.writableFinished) gone.abort();
    });
    return gone;
  },
);
