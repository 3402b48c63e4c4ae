import { Outlet } from 'react-router';
import { AreaPage } from '../../components/area-page.js';
import { useUser } from '../../components/require-session.js';
import { isAdministrator } from '../../areas.js';

/**
 * Shows the pages inside to administrators, and a notice to other users. The gateway would refuse
 * those anyway.
 */
export function AdministratorsOnly() {
  const user = useUser();
  if (isAdministrator(user)) return <Outlet context={user} />;
  return (
    <AreaPage
      title="For administrators"
      intro="Only administrators can see this page. Ask an administrator of your organisation."
    >
      {null}
    </AreaPage>
  );
}
