import { clientBucket } from '@platform/platform';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Surface } from '@platform/contracts';
import type { Request } from 'express';

/** Device on which a session is started. */
export interface Client {
  surface: Surface;
  /** Name that the user gave the device. Null: the start of `userAgent`. */
  label?: string | null;
  ipAddress: string | null;
  ipBucket: string;
  userAgent: string | null;
  /**
   * True for a session that the client manages itself, without our tokens; see
   * `SessionsService.startSession`.
   */
  registered?: boolean;
}

const MAX_USER_AGENT_LENGTH = 400;

/**
 * Parameter decorator: the client that sent the current request, by its network address and its
 * user agent. `surface` is `web` for a browser (the user agent begins with `Mozilla/`) and `api`
 * for every other program.
 */
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
