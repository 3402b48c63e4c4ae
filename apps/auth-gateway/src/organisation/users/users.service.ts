import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type {
  CreateUserRequest,
  ListUsersQuery,
  UpdateUserRequest,
  UserDetailResponse,
  UserListResponse,
} from '@platform/contracts';
import { hasScope, userOf, type Caller } from '@platform/guards';
import { onViolation, Outbox, TenantData, type Row } from '@platform/persistence';
import { DataSource } from 'typeorm';
import { publishEvent } from '../../kernel/events/publish-event.js';
import type { Role } from '../../identity/accounts/role.entity.js';
import { createAccount } from '../../identity/registration/create-account.js';
import { RegistrationErrors } from '../../identity/registration/registration.errors.js';
import { findChangedFields } from '../../kernel/audit/changed-fields.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import { AccountDeletionService } from '../../kernel/account-deletion/account-deletion.service.js';
import { PasswordPolicy } from '../../identity/passwords/password.policy.js';
import { PasswordsService } from '../../identity/passwords/passwords.service.js';
import { PermissionChangesService } from '../permissions/permission-changes.service.js';
import { replaceDenials } from '../permissions/denials.js';
import { getEffectiveScopes } from '../../identity/sessions/signed-in-account.js';
import { SessionsService } from '../../identity/sessions/sessions.service.js';
import { makeDeletedEmail, SET_DELETED } from '../../identity/accounts/deleted-account.js';
import { UserErrors } from '../../identity/accounts/users.errors.js';
import { findUser, listUsers, toUserDetailResponse, type UserRow } from './users.queries.js';

/** Administration of the users of a tenant. */
@Injectable()
export class UsersService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly changes: PermissionChangesService,
    private readonly passwords: PasswordsService,
    private readonly policy: PasswordPolicy,
    private readonly sessions: SessionsService,
    private readonly accountDeletion: AccountDeletionService,
  ) {}

  async listUsers(tenantId: string, query: ListUsersQuery): Promise<UserListResponse> {
    const { rows, total, isExact } = await listUsers(this.tenantData(tenantId), query);
    return {
      items: rows.map(toUserDetailResponse),
      total,
      total_is_exact: isExact,
      limit: query.limit,
      offset: query.offset,
    };
  }

  /**
   * Returns a user of the tenant.
   *
   * @throws AppError 404 `user.not_found` if the tenant has no such user, or the account was
   * deleted.
   */
  async getUser(tenantId: string, id: string): Promise<UserDetailResponse> {
    return toUserDetailResponse(await this.requireUser(this.tenantData(tenantId), id));
  }

  /**
   * Creates a user. Their address counts as confirmed. Deletes pending sign-ups for the address.
   *
   * @throws AppError 403 `privilege_escalation` if the scopes or the role give rights that the
   * caller does not have; 409 `user.email_taken` if a user of the tenant has the address,
   * `tenant.deleted` if the tenant is deactivated; 503 if too many passwords wait to be hashed.
   * @throws ValidationFailed for an unknown role or agency, or a weak password.
   */
  async createUser(caller: Caller, tenantId: string, request: CreateUserRequest): Promise<UserDetailResponse> {
    const { email, first_name: firstName, last_name: lastName } = request;
    const role = request.role ?? 'user';
    this.changes.assertHolds(caller, request.scopes ?? []);
    this.changes.assertMayAssign(caller, role);
    await this.policy.assertPasswordAllowed(request.password, {
      field: 'password',
      email,
      tenantId,
      names: [firstName, lastName],
    });
    const passwordHash = await this.passwords.hashPassword(request.password);
    const { scopes, attributes, agency_id: agencyId } = request;
    const created = await this.changes.changeInTenant(
      tenantId,
      async (tenant) => {
        this.changes.assertHolds(caller, await this.scopesOfRole(tenant, role));
        const account = { tenantId, email, passwordHash, firstName, lastName, role, scopes, attributes, agencyId };
        const id = await createAccount(tenant.em, this.outbox, account).catch(
          onViolation('users_agency_fkey', UserErrors.noSuchAgency),
        );
        if (!id) throw RegistrationErrors.emailTaken();
        return this.requireUser(tenant, id);
      },
      [],
    );
    this.outbox.wakeRelay();
    return toUserDetailResponse(created);
  }

  /**
   * Changes the given fields of a user, and returns the user after the change. Deactivation ends
   * all sessions and pending logins of the user.
   *
   * @throws AppError 403 `privilege_escalation` if the user has rights that the caller does not
   * have, before or after the change, or if a caller without all scopes changes their own role; 404
   * `user.not_found`; 409 `user.last_administrator` if the tenant would lose its last administrator
   * with all rights.
   * @throws ValidationFailed for an unknown role or agency.
   */
  async updateUser(
    caller: Caller,
    tenantId: string,
    id: string,
    request: UpdateUserRequest,
  ): Promise<UserDetailResponse> {
    const { after, ended } = await this.changes.changeInTenant(
      tenantId,
      async (tenant) => {
        const before = await this.requireUser(tenant, id, true);
        await this.assertMayChange(caller, tenant, before, request);
        const { denied_scopes: denied, reason } = request;
        if (denied) await replaceDenials(tenant, before, denied, reason ?? null);
        await tenant
          .query(
            `UPDATE users SET role = coalesce($2, role), scopes = coalesce($3, scopes), attributes = coalesce($4, attributes),
               is_active = coalesce($5, is_active), agency_id = CASE WHEN $6 THEN $7 ELSE agency_id END,
               denied_scopes = coalesce($8, denied_scopes)
             WHERE tenant_id = $tenant AND id = $1`,
            [
              id,
              request.role ?? null,
              request.scopes ?? null,
              request.attributes ?? null,
              request.is_active ?? null,
              request.agency_id !== undefined,
              request.agency_id ?? null,
              denied ? [...new Set(denied)] : null,
            ],
          )
          .catch(onViolation('users_role_fkey', UserErrors.noSuchRole))
          .catch(onViolation('users_agency_fkey', UserErrors.noSuchAgency));
        const after = await this.requireUser(tenant, id);
        // Checked after the change, because a lifted denial also gives scopes.
        this.changes.assertHolds(caller, getEffectiveScopes(after));
        const ended =
          request.is_active === false ? await this.sessions.endUserSessions(tenant.em, id, 'account_disabled') : [];
        const changed = findChangedFields(toAuditFields(before), toAuditFields(after));
        const attributes_changed = !isDeepStrictEqual(before.attributes, after.attributes);
        if (changed || attributes_changed) {
          const metadata = { reason: reason ?? null, ...(attributes_changed && { attributes_changed }) };
          await recordAudit(tenant.em, {
            action: 'user.updated',
            target: { type: 'user', id },
            tenantId,
            ...changed,
            metadata,
          });
          const fields = [...Object.keys(changed?.after ?? {}), ...(attributes_changed ? ['attributes'] : [])];
          await publishEvent(tenant.em, {
            type: 'user.updated',
            tenantId,
            userId: null,
            data: { user_id: id, changed: fields },
          });
        }
        return { after, ended };
      },
      [id],
    );
    await this.sessions.notifyEnded(ended);
    return toUserDetailResponse(after);
  }

  /**
   * Deactivates a user, or deletes the account if `permanent` is true: then all personal data is
   * deleted and only the id stays, for rows that refer to it.
   *
   * @returns the user after the change.
   * @throws AppError 403, 404 and 409 like `updateUser`.
   */
  async deleteUser(caller: Caller, tenantId: string, id: string, permanent: boolean): Promise<UserDetailResponse> {
    if (!permanent) return this.updateUser(caller, tenantId, id, { is_active: false });
    const { erased, ended } = await this.changes.changeInTenant(
      tenantId,
      async (tenant) => {
        const before = await this.requireUser(tenant, id, true);
        await this.assertMayChange(caller, tenant, before, {});
        const ended = await this.sessions.endUserSessions(tenant.em, id, 'account_erased');
        await this.deleteAccount(tenant, id);
        await recordAudit(tenant.em, {
          action: 'user.erased',
          target: { type: 'user', id },
          tenantId,
          before: toAuditFields(before),
        });
        await publishEvent(tenant.em, { type: 'user.erased', tenantId, userId: null, data: { user_id: id } });
        return { erased: { ...before, ...DELETED_FIELDS, email: makeDeletedEmail(id) }, ended };
      },
      [id],
    );
    this.outbox.wakeRelay();
    await this.sessions.notifyEnded(ended);
    return toUserDetailResponse(erased);
  }

  private async deleteAccount(tenant: TenantData, id: string): Promise<void> {
    await this.accountDeletion.deleteUserData(tenant, id);
    await tenant.query(`UPDATE users SET ${SET_DELETED} WHERE tenant_id = $tenant AND id = $1`, [id]);
  }

  private async assertMayChange(
    caller: Caller,
    tenant: TenantData,
    user: UserRow,
    request: UpdateUserRequest,
  ): Promise<void> {
    const { role, scopes } = request;
    this.changes.assertMayAssign(caller, user.role);
    this.changes.assertHolds(caller, [...getEffectiveScopes(user), ...(scopes ?? [])]);
    if (request.denied_scopes)
      this.changes.assertHolds(caller, findLiftedDenials(request.denied_scopes, user.denied_scopes));
    if (role && role !== user.role) {
      if (userOf(caller)?.userId === user.id) this.changes.assertMayGrantAll(caller);
      this.changes.assertMayAssign(caller, role);
      this.changes.assertHolds(caller, await this.scopesOfRole(tenant, role));
    }
  }

  private async scopesOfRole(tenant: TenantData, name: string): Promise<string[]> {
    const [role] = await tenant.query<Row<Role, 'defaultScopes'>>(
      'SELECT default_scopes FROM roles WHERE tenant_id = $tenant AND name = $1',
      [name],
    );
    if (!role) throw UserErrors.noSuchRole();
    return role.default_scopes;
  }

  private async requireUser(tenant: TenantData, id: string, lock = false): Promise<UserRow> {
    const user = await findUser(tenant, id, lock);
    if (!user) throw UserErrors.notFound();
    return user;
  }

  private tenantData(tenantId: string): TenantData {
    return new TenantData(this.dataSource.manager, tenantId);
  }
}

/** Returns the scopes that were denied before and are not denied by the new list. */
const findLiftedDenials = (denied: readonly string[], before: readonly string[]): string[] =>
  before.filter((scope) => !hasScope(denied, scope));

const DELETED_FIELDS = {
  first_name: null,
  last_name: null,
  agency_id: null,
  role: 'user',
  scopes: [],
  denied_scopes: [],
  default_scopes: [],
  attributes: {},
  is_active: false,
  last_login_at: null,
};

/** Returns the fields of a user for the audit log, without personal data. */
const toAuditFields = ({ role, scopes, denied_scopes, is_active, agency_id }: UserRow) => ({
  role,
  scopes,
  denied_scopes,
  is_active,
  agency_id,
});
