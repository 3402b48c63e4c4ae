import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

/** The browser of a request. The gateway uses it for rate limits and in its list of sessions. */
export interface Visitor {
  address: string | undefined;
  userAgent: string;
}

const MAX_USER_AGENT_LENGTH = 400;

export const CurrentVisitor = createParamDecorator((_data: unknown, context: ExecutionContext): Visitor => {
  const request = context.switchToHttp().getRequest<Request>();
  return {
    address: request.ip,
    userAgent: request.headers['user-agent']?.slice(0, MAX_USER_AGENT_LENGTH) ?? 'unknown',
  };
});
