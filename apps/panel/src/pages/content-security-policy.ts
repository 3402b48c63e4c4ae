/**
 * Everything that a page may load or do: files of the panel, and calls to it. Nothing inline, nothing from elsewhere, no frame around it,
 * no form that leaves it, and no text that becomes markup or script (Trusted Types without any policy).
 */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/**
 * Of `/pay` alone, where a script of Stripe runs that brings its own frames and makes markup of text: docs/decisions/0036-pay-page.md. The
 * three sources are those that Stripe asks for (https://docs.stripe.com/security/guide#content-security-policy). Nothing here may call the
 * panel, so that the script of somebody else cannot act as who is signed in.
 */
export const PAY_PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self' https://js.stripe.com https://*.js.stripe.com",
  "style-src 'self'",
  'connect-src https://api.stripe.com',
  'frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
  "img-src 'self' data:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
