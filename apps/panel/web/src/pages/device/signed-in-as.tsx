import { useSignOut } from '../../api/session.js';
import { useUser } from '../../components/require-session.js';
import { DEFAULT_TENANT } from '../../lib/tenant.js';
import './signed-in-as.css';

/**
 * Shows the account that the device would get access to. After signing out, the user can sign in
 * with another account and return here.
 */
export function SignedInAs() {
  const { email, tenant_id: tenant } = useUser();
  const signOut = useSignOut();
  return (
    <span>
      You are signed in as <strong className="signed-in-as__email">{email}</strong>
      {tenant !== DEFAULT_TENANT && (
        <>
          {' '}
          of the organisation <strong>{tenant}</strong>
        </>
      )}
      .{' '}
      <button type="button" className="link-button" onClick={() => signOut.mutate()}>
        Use another account
      </button>
      {signOut.isError && <span role="alert"> Signing out failed. Try again.</span>}
    </span>
  );
}
