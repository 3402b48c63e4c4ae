import type { CallResponse } from '@platform/contracts';
import type { ExtensionError } from '@platform/extension-sdk/runtime';
import type { SecretRedactor } from '../kernel/secrets/secret-redactor.js';
import type { HandlerResult } from '../handlers/handler-runtime.js';

export const successAnswer = ({ data, summary, ui }: HandlerResult): CallResponse => ({
  status: 'success',
  data,
  summary,
  error: null,
  ui,
  error_code: null,
  retryable: false,
});

export const failureAnswer = ({ code, message, retryable }: ExtensionError): CallResponse => ({
  status: 'error',
  data: null,
  summary: null,
  error: message,
  ui: null,
  error_code: code,
  retryable,
});

/** Returns a value that leaves the run without the secrets that the run has read. */
export const redactSecrets = <Value>(value: Value, redactor: SecretRedactor): Value =>
  redactor.redactValue(value) as Value;
