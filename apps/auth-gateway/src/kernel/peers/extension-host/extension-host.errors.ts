import { AppError } from '@platform/platform';

const RETRY_AFTER_SECONDS = 5;

/** The host of extensions cannot be reached, is too slow, or fails: a 503 unless somebody catches it. */
export class ExtensionHostUnavailable extends AppError {
  override name = 'ExtensionHostUnavailable';

  constructor(cause: unknown) {
    super(503, 'extension_host_unavailable', 'Extensions cannot be run at the moment. Try again in a few seconds.', {
      headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
      cause,
    });
  }
}
