/** Error of nodemailer. */
export interface SmtpError {
  code?: string;
  /** Command that the server refused. */
  command?: string;
  response?: string;
  responseCode?: number;
}

/** Refusal by policy, such as of a server that takes no mail from us: RFC 3463 section 3.8. */
const POLICY = /^\d{3}[ -][45]\.7\./;

/**
 * The reason why a mail does not go out: its `recipient`, for good (RFC 5321: 5yz); this `mail` alone, for now; or the `server`, which would take no other mail
 * either, since it is away, is not trusted, does not know us, or refuses the sender.
 */
export function blameOf({ code, command, response = '', responseCode = 0 }: SmtpError): 'recipient' | 'mail' | 'server' {
  if (code === 'EMESSAGE') return 'mail';
  if (code !== 'EENVELOPE' || command !== 'RCPT TO' || POLICY.test(response)) return 'server';
  return responseCode >= 500 ? 'recipient' : 'mail';
}
