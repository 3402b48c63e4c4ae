import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

/**
 * True if the request has `Prefer: respond-async`, alone or among other preferences. See RFC 7240.
 */
export const PrefersAsync = createParamDecorator((_data: unknown, context: ExecutionContext): boolean => {
  const { headers } = context.switchToHttp().getRequest<Request>();
  return [headers['prefer'] ?? '']
    .flat()
    .join(',')
    .split(',')
    .some((preference) => preference.trim().toLowerCase() === 'respond-async');
});
