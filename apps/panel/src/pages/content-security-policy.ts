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
