import { ExtensionError } from '../extension-error.js';

export const SignatureErrors = {
  /** An empty secret is refused: anyone could sign with it. */
  secretMissing: () =>
    new ExtensionError('WEBHOOK_SECRET_MISSING', 'No secret is set, so the signature cannot be verified.'),
  secretMalformed: () =>
    new ExtensionError('WEBHOOK_SECRET_MALFORMED', 'The secret of a Standard Webhook must be Base64 after "whsec_".'),
  optionsInvalid: (why: string) => new ExtensionError('WEBHOOK_VERIFY_INVALID', why),
};
