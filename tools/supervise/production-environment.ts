/** For specs: all that `npm start` has to be given in production. */
export const PRODUCTION = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://a:b@c/d',
  SMTP_URL: 'smtp://e',
  SECRET_KEYS: 'k1:f',
  SERVICE_TOKENS: 'panel:g',
  PUBLIC_URL: 'https://api.example.com',
  PANEL_URL: 'https://example.com',
};
