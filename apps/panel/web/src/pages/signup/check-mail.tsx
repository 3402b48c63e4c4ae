import { call } from '@platform/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link } from 'react-router';
import { api } from '../../api/client.js';
import { SESSION } from '../../api/session.js';
import { AuthLayout } from '../../components/auth-layout.js';
import { ButtonLink } from '../../components/button.js';
import { Emblem } from '../../components/emblem.js';
import { Notice } from '../../components/notice.js';
import { ResendVerification } from '../../components/resend-verification.js';
import { useTenant } from '../../lib/tenant.js';

export interface SentMail {
  email: string;
  /** Token that can read the state of the signup, and nothing else. */
  statusToken: string;
}

const POLL_MS = 4_000;

/**
 * Waits until the link in the mail is used, on this device or another: it asks the platform every 4
 * s. Offers to send the mail again.
 */
export function CheckMail({ email, statusToken }: SentMail) {
  const queries = useQueryClient();
  const tenant = useTenant();
  const { data } = useQuery({
    queryKey: ['signup-status', statusToken],
    queryFn: () => call(api.GET('/v1/auth/signup-status', { params: { query: { token: statusToken } } })),
    refetchInterval: ({ state }) => (state.data && state.data.status !== 'pending' ? false : POLL_MS),
  });
  const status = data?.status;

  useEffect(() => {
    // If the link was opened in another tab, this browser is now signed in.
    if (status === 'verified') void queries.invalidateQueries({ queryKey: SESSION });
  }, [status, queries]);

  if (status === 'verified') {
    return (
      <AuthLayout
        key="verified"
        title="Your address is confirmed"
        emblem={<Emblem icon="check" tone="success" />}
        intro="Your account is ready. Sign in to continue."
      >
        <ButtonLink to={tenant.path('/login')} look="primary" wide>
          Sign in
        </ButtonLink>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout
      key="waiting"
      title="Check your mail"
      emblem={<Emblem icon="mail" />}
      intro={
        <p>
          We sent a link to <strong>{email}</strong>. Open it to confirm your address; this page then continues
          automatically.
        </p>
      }
      footer={
        <>
          Not your address? <Link to={tenant.path('/signup')}>Start over</Link>
        </>
      }
    >
      {(status === 'expired' || status === 'unknown') && (
        <Notice tone="warning" role="alert" title="The link has expired">
          <p>It was not used in time. Request a new one.</p>
        </Notice>
      )}
      <ResendVerification email={email} statusToken={statusToken} />
    </AuthLayout>
  );
}
