import { createParamDecorator, Injectable, type ExecutionContext, type PipeTransform } from '@nestjs/common';
import { DEFAULT_TENANT, isTenantId } from '@platform/contracts';
import { userOf, type UserCaller } from '@platform/guards';
import { TakesQueryKey, ValidationFailed } from '@platform/platform';
import type { Request } from 'express';
import { DataSource } from 'typeorm';
import { assertTenantThere } from './known-tenants.js';

const LOC = ['query', 'tenant_id'];
const DESCRIPTION =
  'The tenant that a trusted backend works in when it acts for nobody; without it `default`. Whoever else calls is in their own.';

interface TenantOfRequest {
  id: string;
  /** Whether nobody has looked yet if there is such a tenant. */
  isUnchecked: boolean;
}

@Injectable()
class TenantThatIsThere implements PipeTransform<TenantOfRequest, Promise<string>> {
  constructor(private readonly dataSource: DataSource) {}

  async transform({ id, isUnchecked }: TenantOfRequest): Promise<string> {
    if (isUnchecked) await assertTenantThere(this.dataSource.manager, id, LOC);
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
      TakesQueryKey('tenant_id', DESCRIPTION)(target, name as string, descriptor);
    },
  ],
);

/**
 * The tenant that an administrative request is about: that of the user, or of the acting user, who name no other. A trusted backend that
 * acts for nobody names one, in the query parameter `tenant_id`; without it, it means the default tenant.
 */
export const CurrentTenant = (): ParameterDecorator => TenantParameter(TenantThatIsThere);

/** @throws ValidationFailed where a user, or who acts for one, names another tenant. */
export function assertOwnTenant({ tenantId }: UserCaller, named: unknown): void {
  if (named !== undefined && named !== tenantId)
    throw new ValidationFailed([
      { loc: LOC, msg: 'Only a trusted backend that acts for nobody names another tenant', type: 'value_error' },
    ]);
}

const notTenantId = () => new ValidationFailed([{ loc: LOC, msg: 'Input should be the id of a tenant', type: 'string_pattern_mismatch' }]);
