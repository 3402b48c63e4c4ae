/** Error of nodemailer. */
export interface SmtpError {
  code?: string;
  /** SMTP command that the server refused. */
  command?: string;
  response?: string;
  responseCode?: number;
}

/**
 * Refusal by policy, for example of a server that accepts no mail from us: RFC 3463 section 3.8.
 */
const POLICY = /^\d{3}[ -][45]\.7\./;

/**
 * Finds the cause of a failed mail: its `recipient`, permanently (RFC 5321: 5yz); only this `mail`,
 * for now; or the `server`, for every other failure, which would affect every mail: it is
 * unreachable, its certificate is not trusted, it refuses our login or the sender, or its policy
 * refuses us.
 */
export function findFailureCause({
  code,
  command,
  response = '',
  responseCode = 0,
}: SmtpError): 'recipient' | 'mail' | 'server' {
  if (code === 'EMESSAGE') return 'mail';
  if (code !== 'EENVELOPE' || command !== 'RCPT TO' || POLICY.test(response)) return 'server';
  return responseCode >= 500 ? 'recipient' : 'mail';
}
