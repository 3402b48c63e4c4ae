import { Navigate, useLocation } from 'react-router';
import { useSession } from '../../api/session.js';
import { Waiting } from '../../components/waiting.js';
import { CheckMail, type SentMail } from './check-mail.js';
import { SignupForm } from './signup-form.js';

/**
 * The signup form, then the page that waits until the link in the mail is used. The back button
 * shows the form again. A signed-in user gets the start page instead.
 */
export function SignupPage() {
  const session = useSession();
  const sent = sentMail(useLocation().state);
  if (session.data) return <Navigate to="/" replace />;
  if (session.isLoading) return <Waiting />;
  return sent ? <CheckMail key={sent.statusToken} {...sent} /> : <SignupForm />;
}

/**
 * Reads the sent mail from the state of the history entry; null if it has none. The entry survives
 * a reload, and may come from an older version of this page.
 */
function sentMail(state: unknown): SentMail | null {
  const { email, statusToken } = (state ?? {}) as Partial<Record<string, unknown>>;
  return typeof email === 'string' && typeof statusToken === 'string' ? { email, statusToken } : null;
}
