import { ExtensionError } from '../extension-error.js';

export const SignatureErrors = {
  /** Anyone could sign with an empty secret. */
  secretMissing: () => new ExtensionError('WEBHOOK_SECRET_MISSING', 'There is no secret to verify the signature with.'),
  secretMalformed: () => new ExtensionError('WEBHOOK_SECRET_MALFORMED', 'The secret of a Standard Webhook is Base64, after "whsec_".'),
  optionsInvalid: (why: string) => new ExtensionError('WEBHOOK_VERIFY_INVALID', why),
};
