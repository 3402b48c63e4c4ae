import { UseInterceptors, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Observable } from 'rxjs';
import { currentContext } from '../request-context.js';

class RoutineInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const context = currentContext();
    if (context) context.isRoutine = true;
    return next.handle();
  }
}

/** Marks a route that clients poll. Its successful requests are logged on level `debug`. */
export const Routine = (): MethodDecorator => UseInterceptors(new RoutineInterceptor());
