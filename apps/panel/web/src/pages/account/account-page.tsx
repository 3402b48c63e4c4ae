import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { PageHeading, PageTitle } from '../../components/page.js';
import { useUser } from '../../components/require-session.js';
import { focusSection } from '../../components/section.js';
import './account-page.css';
import { KeysSection } from './keys-section.js';
import { PasswordSection } from './password-section.js';
import { ProfileSection } from './profile-section.js';
import { SessionsSection } from './sessions-section.js';

/** Who one is, and what signs in as one. */
export function AccountPage() {
  const user = useUser();
  const { hash, key } = useLocation();

  useEffect(() => {
    const id = hash.slice(1);
    if (!id) return;
    document.getElementById(id)?.scrollIntoView();
    focusSection(id);
  }, [hash, key]);

  return (
    <div className="account">
      <PageTitle>Account</PageTitle>
      <div className="account__head">
        <PageHeading>Account</PageHeading>
        <p className="muted">Your profile, how you sign in, and what may act for you.</p>
      </div>
      <ProfileSection user={user} />
      <PasswordSection email={user.email} />
      <SessionsSection />
      <KeysSection />
    </div>
  );
}
