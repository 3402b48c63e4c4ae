import type { GatewayFeatureSchema } from '../kernel/gateway-feature-schema.js';
import { accountsSchema } from './accounts/accounts.schema.js';
import { apiKeysSchema } from './api-keys/api-keys.schema.js';
import { cliLoginSchema } from './cli-login/cli-login.schema.js';
import { loginSchema } from './login/login.schema.js';
import { mailSchema } from './mail/mail.schema.js';
import { mailLinksSchema } from './mail-links/mail-links.schema.js';
import { pendingSignupsSchema } from './pending-signups/pending-signups.schema.js';
import { sessionsSchema } from './sessions/sessions.schema.js';
import { signInsSchema } from './sign-ins/sign-ins.schema.js';
import { tokensSchema } from './tokens/tokens.schema.js';

/** Database schemas of the features of this group. */
export const identitySchema: readonly GatewayFeatureSchema[] = [
  accountsSchema,
  apiKeysSchema,
  cliLoginSchema,
  loginSchema,
  mailSchema,
  mailLinksSchema,
  pendingSignupsSchema,
  sessionsSchema,
  signInsSchema,
  tokensSchema,
];
