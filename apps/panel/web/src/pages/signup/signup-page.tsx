import { Navigate, useLocation } from 'react-router';
import { useSession } from '../../api/session.js';
import { Waiting } from '../../components/waiting.js';
import { CheckMail, type SentMail } from './check-mail.js';
import { SignupForm } from './signup-form.js';

/** The form, and after it the page that waits for the mail to be answered. Going back shows the form again. */
export function SignupPage() {
  const session = useSession();
  const sent = sentMail(useLocation().state);
  if (session.data) return <Navigate to="/" replace />;
  if (session.isLoading) return <Waiting />;
  return sent ? <CheckMail key={sent.statusToken} {...sent} /> : <SignupForm />;
}

/** History keeps it over a reload, and whatever an older version of this page left there. */
function sentMail(state: unknown): SentMail | null {
  const { email, statusToken } = (state ?? {}) as Partial<Record<string, unknown>>;
  return typeof email === 'string' && typeof statusToken === 'string' ? { email, statusToken } : null;
}
