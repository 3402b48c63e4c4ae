import { keyring, wholeNumber } from '@platform/platform';
import { str } from 'envalid';

/** Variables of `npm run migrate`. */
export const MIGRATE_VARIABLES = {
  DATABASE_URL: str({ desc: 'the PostgreSQL to migrate, as postgres://user:password@host:port/database' }),
  ADMIN_EMAIL: str({
    default: undefined,
    desc: 'email address of the administrator, created if no account has this address; set it with ADMIN_PASSWORD',
  }),
  ADMIN_PASSWORD: str({ default: undefined, desc: 'the password of ADMIN_EMAIL' }),
  PASSWORD_MIN_LENGTH: wholeNumber(
    8,
    15,
  )({ default: 8, desc: 'the same value as for the gateway; ADMIN_PASSWORD has to follow it' }),
  SECRET_KEYS: keyring({
    default: undefined,
    desc: 'the secret keys of the gateway, to sign the audit entries about the administrator; required with ADMIN_EMAIL',
  }),
};

/** Variables of the other tools that read the gateway's database: `keys`, `audit`, `billing`. */
export const DATABASE_VARIABLES = {
  DATABASE_URL: str({ desc: 'start the platform with `npm start` first, or set the URL of its database' }),
};

/** Additional variables of tools that seal values or check seals. */
export const KEY_VARIABLES = { SECRET_KEYS: keyring({ desc: 'the secret keys of the gateway' }) };

/** Variables of `npm run audit:verify` and `audit:anchor`. */
export const AUDIT_VARIABLES = {
  ...KEY_VARIABLES,
  AUDIT_ANCHOR_FILE: str({
    default: '',
    devDefault: '.data/audit-anchors.jsonl',
    desc: 'the anchor file of the gateway, to compare with or to write',
    docs: 'organisation.md#the-audit-log',
  }),
};
