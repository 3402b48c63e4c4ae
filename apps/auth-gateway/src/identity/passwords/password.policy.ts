import { Inject, Injectable } from '@nestjs/common';
import { ValidationFailed } from '@platform/platform';
import { CONFIG, type Config } from '../../config.js';

/** Owner of the new password, and the field of the request that contains it. */
export interface PasswordContext {
  field: 'password' | 'new_password';
  email: string;
  tenantId: string;
  names?: (string | null | undefined)[];
}

const MIN_WORD_LENGTH = 3;
/** Minimum characters of a password after the words of the context were removed. */
const MIN_CHARACTERS_LEFT = 4;

/**
 * Refuses weak passwords: the 49 000 most common ones, and those that are little more than the
 * user's address, name or tenant (NIST SP 800-63B section 3.1.1.2). No rules about kinds of
 * characters.
 */
@Injectable()
export class PasswordPolicy {
  private common: Promise<ReadonlySet<string>> | undefined;

  constructor(@Inject(CONFIG) private readonly config: Pick<Config, 'PASSWORD_MIN_LENGTH'>) {}

  /**
   * Refuses a weak password.
   *
   * @throws ValidationFailed of type `string_too_short` if it has fewer than `PASSWORD_MIN_LENGTH`
   * characters; of type `password_common` if it is one of the most common ones, or contains a part
   * of the user's address, name or tenant and has fewer than four letters or digits besides them.
   */
  async assertPasswordAllowed(password: string, context: PasswordContext): Promise<void> {
    const minimum = this.config.PASSWORD_MIN_LENGTH;
    if (Array.from(password).length < minimum) {
      throw refused(context, 'string_too_short', `String should have at least ${minimum} characters`);
    }
    const plain = password.normalize('NFKC').toLowerCase();
    this.common ??= loadCommonPasswords();
    if ((await this.common).has(plain))
      throw refused(context, 'password_common', 'This password is too common. Choose another one');
    if (isMadeOf(plain, wordsOf(context))) {
      throw refused(
        context,
        'password_common',
        'This password is little more than your e-mail address, name or tenant. Choose another one',
      );
    }
  }
}

function wordsOf({ email, tenantId, names = [] }: PasswordContext): string[] {
  const [local = '', domain = ''] = email.toLowerCase().split(/@(?=[^@]*$)/);
  const parts = [
    local,
    ...local.split(/[^\p{L}\p{N}]+/u),
    domain,
    ...domain.split('.'),
    tenantId,
    ...names.map((name) => name?.toLowerCase()),
  ];
  const words = parts.filter((part): part is string => !!part && part.length >= MIN_WORD_LENGTH);
  return [...new Set(words)].sort((a, b) => b.length - a.length);
}

function isMadeOf(password: string, words: string[]): boolean {
  if (!words.some((word) => password.includes(word))) return false;
  const left = words.reduce((rest, word) => rest.replaceAll(word, ''), password);
  return left.replace(/[^\p{L}\p{N}]/gu, '').length < MIN_CHARACTERS_LEFT;
}

/**
 * Loads the list of common passwords. It is loaded at the first use, because it would delay the
 * start of the process.
 */
async function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common']);
}

const refused = ({ field }: PasswordContext, type: string, msg: string): ValidationFailed =>
  new ValidationFailed([{ loc: ['body', field], msg, type }]);
