import { HMAC_ALGORITHMS, SIGNATURE_SCHEMES, SignatureErrors, verifyHmac } from '@platform/extension-sdk/runtime';
import { createHash, createHmac } from 'node:crypto';
import type { Params } from '../values/params.js';
import type { StepRun } from '../step-run.js';
import type { Actions } from './action.js';

const ENCODINGS = ['hex', 'base64'] as const;
const PROVIDERS = SIGNATURE_SCHEMES.filter((scheme) => scheme !== 'hmac');

const schemeOf = (params: Params) => ({
  algorithm: params.oneOf('algorithm', HMAC_ALGORITHMS, 'sha256'),
  encoding: params.oneOf('encoding', ENCODINGS, 'hex'),
  prefix: params.text('prefix'),
});

export const cryptoActions: Actions = {
  'crypto.hmac_verify': (run, params) => {
    const claim = {
      ...schemeOf(params),
      data: params.text('data'),
      secret: params.text('secret'),
      signature: params.text('signature'),
      // A timestamp that is missing in the request must not switch off its check.
      timestamp: params.has('timestamp') ? params.text('timestamp') : null,
      toleranceSeconds: params.optionalNumber('tolerance'),
    };
    const { valid } = verifyHmac(claim, receivedAt(run));
    return { valid };
  },
  'crypto.webhook_verify': ({ context }, params) => {
    const scheme = params.oneOf('scheme', PROVIDERS, 'github');
    const { valid, reason } = context.webhook.verify({
      scheme,
      secret: params.text('secret'),
      toleranceSeconds: params.optionalNumber('tolerance'),
    });
    return { valid, reason };
  },
  'crypto.hmac_sign': (_run, params) => {
    const { algorithm, encoding, prefix } = schemeOf(params);
    const secret = params.text('secret');
    if (!secret) throw SignatureErrors.secretMissing();
    return { signature: prefix + createHmac(algorithm, secret).update(params.text('data')).digest(encoding) };
  },
  'crypto.sha256': (_run, params) => {
    const encoding = params.oneOf('encoding', ENCODINGS, 'hex');
    return { digest: createHash('sha256').update(params.text('data')).digest(encoding) };
  },
};

/**
 * Time at which the age of a signature is measured: the arrival of the webhook's request, also if
 * it is handled later from an inbox; in other handlers now.
 */
const receivedAt = ({ kind, context }: StepRun): number =>
  kind === 'webhook' ? context.webhook.receivedAt.getTime() : Date.now();
