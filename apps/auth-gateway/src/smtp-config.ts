import { makeExactValidator, str } from 'envalid';

/** TLS modes for the connection to the mail server; `smtpOptions` explains each value. */
export const SMTP_TLS = ['auto', 'required', 'unverified', 'off'] as const;
export type SmtpTls = (typeof SMTP_TLS)[number];

const smtpUrl = makeExactValidator<string>((input) => {
  const url = URL.canParse(input) ? new URL(input) : null;
  if (
    !url?.hostname ||
    !['smtp:', 'smtps:'].includes(url.protocol) ||
    !['', '/'].includes(url.pathname) ||
    url.search ||
    url.hash
  ) {
    throw new Error('expected smtp://user:password@host:587 or smtps://user:password@host:465');
  }
  return input;
});

export const smtpConfig = {
  SMTP_URL: smtpUrl({
    devDefault: 'smtp://127.0.0.1:4025',
    desc: 'the mail server, as smtp://user:password@host:587 or smtps://user:password@host:465',
    docs: 'operations/peers.md#the-mail-server',
  }),
  SMTP_TLS: str({
    choices: SMTP_TLS,
    default: 'auto',
    desc: 'TLS to the mail server. auto: where it is offered, with a trusted certificate unless the server is on this machine; required: always, with a trusted certificate; unverified: where it is offered, with any certificate; off: no STARTTLS',
    docs: 'operations/peers.md#the-mail-server',
  }),
};
