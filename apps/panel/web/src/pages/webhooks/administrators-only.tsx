import { Outlet } from 'react-router';
import { AreaPage } from '../../components/area-page.js';
import { useUser } from '../../components/require-session.js';
import { isAdministrator } from '../../areas.js';

/** The gateway refuses everybody else anyway; this says so before they try. */
export function AdministratorsOnly() {
  const user = useUser();
  if (isAdministrator(user)) return <Outlet context={user} />;
  return (
    <AreaPage title="For administrators" intro="Ask an administrator of your organisation.">
      {null}
    </AreaPage>
  );
}
