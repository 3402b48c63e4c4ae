import type { Database } from '@platform/persistence';
import { LoginThrottle } from './login/login-throttle.entity.js';
import { MailToken } from './mail/mail-token.entity.js';
import { Identity1763700000000 } from './migrations/1763700000000-identity.js';
import { Outbox1763700000001 } from './migrations/1763700000001-outbox.js';
import { Role } from './roles/role.entity.js';
import { Session } from './sessions/session.entity.js';
import { Tenant } from './tenants/tenant.entity.js';
import { SigningKey } from './tokens/signing-key.entity.js';
import { User } from './users/user.entity.js';

/** The gateway's schema: every entity and every migration, in order. */
export const database = (url: string, poolSize: number): Database => ({
  url,
  schema: 'gateway',
  poolSize,
  entities: [Tenant, Role, User, Session, MailToken, SigningKey, LoginThrottle],
  migrations: [Identity1763700000000, Outbox1763700000001],
});
