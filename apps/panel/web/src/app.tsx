import { Route, Routes } from 'react-router';
import { Announcer } from './components/announcer.js';
import { AppShell } from './components/app-shell.js';
import { RequireSession } from './components/require-session.js';
import { AccountPage } from './pages/account/account-page.js';
import { DevicePage } from './pages/device/device-page.js';
import { EarningsPage } from './pages/earnings/earnings-page.js';
import { ForgotPasswordPage } from './pages/forgot-password-page.js';
import { LoginPage } from './pages/login-page.js';
import { NotFoundPage } from './pages/not-found-page.js';
import { NotificationsPage } from './pages/notifications/notifications-page.js';
import { OrganisationLink, OrganisationPage } from './pages/organisation-page.js';
import { InvoicePage } from './pages/payments/invoice-page.js';
import { PaymentsPage } from './pages/payments/payments-page.js';
import { ResetPasswordPage } from './pages/reset-password-page.js';
import { SignupPage } from './pages/signup/signup-page.js';
import { SubscriptionPage } from './pages/subscription/subscription-page.js';
import { VerifyEmailPage } from './pages/verify-email-page.js';
import { WalletPage } from './pages/wallet/wallet-page.js';
import { AdministratorsOnly } from './pages/webhooks/administrators-only.js';
import { EndpointPage } from './pages/webhooks/endpoint-page.js';
import { WebhooksPage } from './pages/webhooks/webhooks-page.js';

/**
 * All pages and their paths. Each area of the panel (see `areas.ts`) is a route inside the shell.
 */
export function App() {
  return (
    <Announcer>
      <Routes>
        <Route path="login" element={<LoginPage />} />
        <Route path="organisation" element={<OrganisationPage />} />
        <Route path="organisation/:tenant" element={<OrganisationLink />} />
        <Route path="signup" element={<SignupPage />} />
        <Route path="verify-email" element={<VerifyEmailPage />} />
        <Route path="forgot-password" element={<ForgotPasswordPage />} />
        <Route path="reset-password" element={<ResetPasswordPage />} />
        <Route element={<RequireSession />}>
          <Route path="device" element={<DevicePage />} />
          <Route element={<AppShell />}>
            <Route index element={<AccountPage />} />
            <Route path="wallet" element={<WalletPage />} />
            <Route path="subscription" element={<SubscriptionPage />} />
            <Route path="payments" element={<PaymentsPage />} />
            <Route path="payments/invoices/:invoiceId" element={<InvoicePage />} />
            <Route path="notifications" element={<NotificationsPage />} />
            <Route element={<AdministratorsOnly />}>
              <Route path="webhooks" element={<WebhooksPage />} />
              <Route path="webhooks/:endpointId" element={<EndpointPage />} />
            </Route>
            <Route path="earnings" element={<EarningsPage />} />
          </Route>
        </Route>
        <Route path="*" element={<NotFoundPage />} />
      </Routes>
    </Announcer>
  );
}
