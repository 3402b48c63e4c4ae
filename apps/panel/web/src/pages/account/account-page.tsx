import { AreaPage } from '../../components/area-page.js';
import { useUser } from '../../components/require-session.js';
import './account-page.css';
import { KeysSection } from './keys-section.js';
import { PasswordSection } from './password-section.js';
import { ProfileSection } from './profile-section.js';
import { SessionsSection } from './sessions-section.js';

/** Profile of the user, and their ways to sign in. */
export function AccountPage() {
  const user = useUser();
  return (
    <AreaPage title="Account" intro="Your profile, password, sessions and API keys.">
      <ProfileSection user={user} />
      <PasswordSection email={user.email} />
      <SessionsSection />
      <KeysSection />
    </AreaPage>
  );
}
