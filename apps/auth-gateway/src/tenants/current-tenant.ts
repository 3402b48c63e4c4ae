import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { DEFAULT_TENANT, isTenantId } from '@platform/contracts';
import { userOf } from '@platform/guards';
import { ValidationFailed } from '@platform/platform';
import type { Request } from 'express';

/**
 * The tenant that an administrative request is about: that of the user, or of the acting user. Only a trusted backend that acts for
 * nobody names one, in the query parameter `tenant_id`; without it, it means the default tenant.
 */
export const CurrentTenant = createParamDecorator((_data: unknown, context: ExecutionContext): string => {
  const { caller, query } = context.switchToHttp().getRequest<Request>();
  const user = caller && userOf(caller);
  if (user) return user.tenantId;
  const named = query['tenant_id'] ?? DEFAULT_TENANT;
  if (!isTenantId(named)) {
    throw new ValidationFailed([
      { loc: ['query', 'tenant_id'], msg: 'Input should be the id of a tenant', type: 'string_pattern_mismatch' },
    ]);
  }
  return named;
});
