/**
 * Policy of all pages except `/pay`: only files of the panel and calls to it. No inline code, no
 * other origins, no frame around the page, no forms to other origins, and no text that becomes
 * markup or script (Trusted Types without any policy).
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
 * Policy of `/pay`, where Stripe's script runs, opens its own frames and creates markup from text:
 * docs/decisions/0036-pay-page.md. The three sources are required by Stripe
 * (https://docs.stripe.com/security/guide#content-security-policy). The page cannot call the panel,
 * so the foreign script cannot act as the signed-in user.
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
