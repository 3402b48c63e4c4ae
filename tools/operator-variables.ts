import { keyring, wholeNumber } from '@platform/platform';
import { str } from 'envalid';

/** What `npm run migrate` reads. */
export const MIGRATE_VARIABLES = {
  DATABASE_URL: str({ desc: 'the PostgreSQL to migrate, as postgres://user:password@host:port/database' }),
  ADMIN_EMAIL: str({ default: undefined, desc: 'the administrator, who is made when there is none of that address; with ADMIN_PASSWORD' }),
  ADMIN_PASSWORD: str({ default: undefined, desc: 'the password of ADMIN_EMAIL' }),
  PASSWORD_MIN_LENGTH: wholeNumber(8, 15)({ default: 8, desc: 'that of the gateway, whose rules ADMIN_PASSWORD keeps to' }),
  SECRET_KEYS: keyring({
    default: undefined,
    desc: 'the secret keys of the gateway, for what the audit log says of the administrator',
  }),
};

/** What every other tool reads that looks into the database of the gateway: `keys`, `audit`, `billing`. */
export const DATABASE_VARIABLES = { DATABASE_URL: str({ desc: 'start the platform first, or name its database' }) };

/** What those of them read that seal or check seals. */
export const KEY_VARIABLES = { SECRET_KEYS: keyring({ desc: 'the secret keys of the gateway' }) };

/** What `npm run audit:verify` and `audit:anchor` read. */
export const AUDIT_VARIABLES = {
  ...KEY_VARIABLES,
  AUDIT_ANCHOR_FILE: str({
    default: '',
    devDefault: '.data/audit-anchors.jsonl',
    desc: 'the anchor to compare with, or to write; that of the gateway',
    docs: 'organisation.md#the-audit-log',
  }),
};
