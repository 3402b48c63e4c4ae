import { AreaPage } from '../../components/area-page.js';
import { useUser } from '../../components/require-session.js';
import './account-page.css';
import { KeysSection } from './keys-section.js';
import { PasswordSection } from './password-section.js';
import { ProfileSection } from './profile-section.js';
import { SessionsSection } from './sessions-section.js';

/** Who one is, and what signs in as one. */
export function AccountPage() {
  const user = useUser();
  return (
    <AreaPage title="Account" intro="Your profile, how you sign in, and what may act for you.">
      <ProfileSection user={user} />
      <PasswordSection email={user.email} />
      <SessionsSection />
      <KeysSection />
    </AreaPage>
  );
}
