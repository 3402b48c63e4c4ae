import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

/** The browser on the other side of this request, which the gateway's limits and its list of sessions are about. */
export interface Visitor {
  address: string | undefined;
  userAgent: string;
}

const MAX_USER_AGENT_LENGTH = 400;

export const CurrentVisitor = createParamDecorator((_data: unknown, context: ExecutionContext): Visitor => {
  const request = context.switchToHttp().getRequest<Request>();
  return { address: request.ip, userAgent: request.headers['user-agent']?.slice(0, MAX_USER_AGENT_LENGTH) ?? 'unknown' };
});
