import { clientBucket } from '@platform/platform';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Surface } from '@platform/contracts';
import type { Request } from 'express';

/** The device a session is begun from. */
export interface Client {
  surface: Surface;
  /** What the person calls it; the start of `userAgent` where there is none. */
  label?: string | null;
  ipAddress: string | null;
  ipBucket: string;
  userAgent: string | null;
  /** What the client says of a session that it keeps by other means; see `Sessions.begin`. */
  registered?: boolean;
}

const MAX_USER_AGENT_LENGTH = 400;

/** Who is on the other side of this request, as far as it tells. */
export const CurrentClient = createParamDecorator((_data: unknown, context: ExecutionContext): Client => {
  const request = context.switchToHttp().getRequest<Request>();
  const userAgent = request.headers['user-agent']?.slice(0, MAX_USER_AGENT_LENGTH) ?? null;
  return {
    surface: userAgent?.startsWith('Mozilla/') ? 'web' : 'api',
    ipAddress: request.ip ?? null,
    ipBucket: clientBucket(request.ip),
    userAgent,
  };
});
