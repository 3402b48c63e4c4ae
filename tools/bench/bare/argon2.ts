import { hash, verify } from '@node-rs/argon2';
import { ARGON2 } from '../../../apps/auth-gateway/src/identity/passwords/passwords.service.js';
import { serve } from './work.js';

/** Baseline of a login: only checks a password. */
const PASSWORD = 'correct horse battery';
const stored = await hash(PASSWORD, ARGON2);

serve(() => verify(stored, PASSWORD));
