import { createParamDecorator, Injectable, type ExecutionContext, type PipeTransform } from '@nestjs/common';
import { DEFAULT_TENANT, isTenantId } from '@platform/contracts';
import { userOf, type UserCaller } from '@platform/guards';
import { AcceptsQueryKey, ValidationFailed } from '@platform/platform';
import type { Request } from 'express';
import { DataSource } from 'typeorm';
import { assertTenantExists } from './existing-tenants.js';

const LOC = ['query', 'tenant_id'];
const DESCRIPTION =
  'Tenant for a backend that calls without an acting user; default: `default`. All other callers work in their own tenant.';

interface TenantOfRequest {
  id: string;
  /** True if nothing has checked yet that the tenant exists. */
  isUnchecked: boolean;
}

@Injectable()
class ExistingTenantPipe implements PipeTransform<TenantOfRequest, Promise<string>> {
  constructor(private readonly dataSource: DataSource) {}

  async transform({ id, isUnchecked }: TenantOfRequest): Promise<string> {
    if (isUnchecked) await assertTenantExists(this.dataSource.manager, id, LOC);
    return id;
  }
}

const TenantParameter = createParamDecorator(
  (_data: unknown, context: ExecutionContext): TenantOfRequest => {
    const { caller, query } = context.switchToHttp().getRequest<Request>();
    const user = caller && userOf(caller);
    const named = query['tenant_id'];
    if (user) {
      assertOwnTenant(user, named);
      return { id: user.tenantId, isUnchecked: false };
    }
    if (named === undefined) return { id: DEFAULT_TENANT, isUnchecked: false };
    if (!isTenantId(named)) throw notTenantId();
    return { id: named, isUnchecked: true };
  },
  [
    (target, name) => {
      const descriptor = Object.getOwnPropertyDescriptor(target, name as string) as PropertyDescriptor;
      AcceptsQueryKey('tenant_id', DESCRIPTION)(target, name as string, descriptor);
    },
  ],
);

/**
 * Parameter decorator: the tenant of an administrative request. It is the tenant of the calling
 * user, or of the user for whom a backend acts. A backend that acts for no user names one in the
 * query parameter `tenant_id`; the default is the tenant `default`.
 *
 * @throws ValidationFailed if a user names another tenant than their own, or a backend names one
 * that does not exist.
 */
export const CurrentTenant = (): ParameterDecorator => TenantParameter(ExistingTenantPipe);

/**
 * Checks that a request of a user names no tenant, or the user's own.
 *
 * @throws ValidationFailed if it names another one.
 */
export function assertOwnTenant({ tenantId }: UserCaller, named: unknown): void {
  if (named !== undefined && named !== tenantId)
    throw new ValidationFailed([
      { loc: LOC, msg: 'Only a backend without an acting user can name another tenant', type: 'value_error' },
    ]);
}

const notTenantId = () =>
  new ValidationFailed([{ loc: LOC, msg: 'Input should be the id of a tenant', type: 'string_pattern_mismatch' }]);
