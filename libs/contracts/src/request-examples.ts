const USER = 'usr_01h455vb4pex5vsknk084sn02q';
const TRACE = 'act_01h455vb4pex5vsknk084sn02q';
const TOKEN = 'Zb1vN4c7yQhT0u3mKx9sLw5eRj8dPf2aGi6oHtYkWnE';
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk-example';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const INTENT = 'pi_3MtwBwLkdIwHu7ix28a3tqPa';
const EMAIL = 'ada@example.com';
const PASSWORD = 'correct horse battery';
const ROLE = {
  display_name: 'Support',
  default_scopes: ['users:read', 'apps:*'],
  default_attributes: { timezone: 'Europe/Vienna' },
};
const AGENCY_SETTINGS = {
  logo_url: 'https://cdn.example.com/logo.svg',
  extra: { support_url: 'https://help.example.com' },
};
const LISTING = {
  short_description: 'Sends invoices.',
  category: 'finance',
  tags: ['invoices', 'pdf'],
  icon: '🧾',
  license: 'MIT',
};
const REVIEW = { rating: 5, title: 'Just works', body: 'Saves me an hour every Monday.' };

/** A complete example body for each request schema, by the name of the schema. `/docs` shows it. */
export const REQUEST_EXAMPLES: Readonly<Record<string, object>> = {
  // Identity
  SignupRequest: { email: EMAIL, password: PASSWORD, first_name: 'Ada', last_name: 'Lovelace' },
  RegisterRequest: { email: EMAIL, password: PASSWORD },
  VerifyEmailRequest: { token: TOKEN },
  ResendVerificationRequest: { email: EMAIL },
  LoginRequest: { email: EMAIL, password: PASSWORD },
  RefreshRequest: { refresh_token: TOKEN },
  ForgotPasswordRequest: { email: EMAIL },
  ResetPasswordRequest: { token: TOKEN, new_password: PASSWORD },
  UpdatePayoutDestinationRequest: {
    method: 'bank transfer',
    details: 'DE89 3704 0044 0532 0130 00, Ada Lovelace',
    current_password: PASSWORD,
  },
  ChangePasswordRequest: { current_password: 'the old password', new_password: PASSWORD },
  RegisterSessionRequest: { surface: 'api', label: 'nightly import' },
  SetCasesUidRequest: { cases_user_id: '4711' },
  CreateKeyRequest: { name: 'deploy pipeline', scopes: 'apps:*' },
  CliCodeRequest: { code_challenge: CHALLENGE, redirect_uri: 'http://127.0.0.1:51004/callback' },
  CliTokenRequest: { code: TOKEN, code_verifier: VERIFIER, redirect_uri: 'http://127.0.0.1:51004/callback' },
  DeviceAuthorizeRequest: { code_challenge: CHALLENGE, label: 'platform CLI on ada-laptop' },
  DeviceLookupRequest: { user_code: 'BCDF-GHJK' },
  DeviceApproveRequest: { user_code: 'BCDF-GHJK', action: 'approve' },
  DeviceTokenRequest: { device_code: TOKEN, code_verifier: VERIFIER },
  ReadNotificationsRequest: { until: 'ntf_01h455vb4pex5vsknk084sn02q' },
  UpdateSettingsRequest: { confirmation_enabled: true },
  CreateWebhookEndpointRequest: {
    url: 'https://hooks.example.com/platform',
    description: 'Billing',
    event_types: ['billing.*', 'user.created'],
  },
  UpdateWebhookEndpointRequest: { status: 'enabled' },
  ReplayEventsRequest: { since: '2026-11-27T09:00:00.000Z' },
  AdjustWalletRequest: { amount: 500, note: 'Welcome' },
  RefundPaymentRequest: { amount_cents: 500, note: 'Bought twice' },
  AutoTopUpUpdate: { enabled: true, threshold_pct: 10, recharge_tokens: 20_000, recharge_cents: 2_000 },
  BillingProfileUpdate: { company: 'Engines Ltd', vat: 'GB123456789', country: 'GB' },
  TopUpRequest: { tokens: 10_000, price_cents: 1_000, save_payment_method: true },
  TopUpConfirmRequest: { payment_intent_id: INTENT },
  SubscribeRequest: { plan_id: 'free' },
  CheckoutRequest: { plan_id: 'pro', period: 'monthly', save_payment_method: true },
  CheckoutConfirmRequest: { payment_intent_id: INTENT },
  ChangePlanRequest: { plan_id: 'business' },
  UpdateSpendingRequest: { unattended_limit: 500, other_apps_limit: null },

  // Organisation
  CreateRoleRequest: { name: 'support', ...ROLE },
  UpdateRoleRequest: ROLE,
  ScopeCreate: { resource: 'invoices', action: 'read', display_name: 'Read invoices' },
  ScopeUpdate: { display_name: 'Read invoices', description: 'Read all invoices, including those of other users.' },
  CreateUserRequest: { email: EMAIL, password: PASSWORD, first_name: 'Ada', last_name: 'Lovelace', role: 'user' },
  UpdateUserRequest: { denied_scopes: ['users:read'], reason: 'Left the support team.' },
  CreateAgencyRequest: {
    agency_id: 'acme',
    display_name: 'Acme Travel',
    domain: 'acme.example.com',
    settings: AGENCY_SETTINGS,
  },
  AgencySettingsUpdate: AGENCY_SETTINGS,
  AgencyTheme: {
    colors: { primary: { light: '#2a54d4', dark: 'oklch(0.75 0.12 270)' } },
    density: 'compact',
    radius: 'rounded',
  },
  CreateTenantRequest: { tenant_id: 'acme', name: 'Acme Travel' },
  UpdateTenantRequest: { name: 'Acme Travel', max_connections: 20 },
  AccessPolicyRequest: { mode: 'restricted', required_scopes: ['invoices:read'], denied_roles: ['guest'] },

  // Apps
  DeveloperRegisterRequest: {
    display_name: 'Ada Lovelace',
    nickname: 'ada-lovelace',
    website: 'https://ada.example.com',
  },
  NicknameBody: { nickname: 'ada-lovelace' },
  UpdateTierRequest: { tier: 'indie' },
  AppCreateRequest: { app_id: 'invoices', display_name: 'Invoices', ...LISTING },
  AppUpdateRequest: LISTING,
  AppDeleteRequest: { confirm_name: 'Invoices' },
  CreateDeployRequest: {
    version: '1.2.0',
    changelog: 'Says hello.',
    ir_dict: {
      ir_version: '1.0',
      app: {
        id: 'invoices',
        version: '1.2.0',
        title: 'Invoices',
        functions: [
          {
            name: 'hello',
            description: 'Says hello.',
            impl: {
              kind: 'steps',
              steps: [{ id: 'done', kind: 'control', action: 'return', params: { data: 'Hello' } }],
            },
          },
        ],
      },
    },
  },
  SyncManifestRequest: {
    icon_svg: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4"/></svg>',
  },
  InstallRequest: { version: '1.2.0' },
  DisableBody: { app_id: 'invoices' },
  ReviewCreate: REVIEW,
  ReviewUpdate: REVIEW,
  ReviewVoteRequest: { helpful: true },
  SecretValue: { value: 'sk_test_4eC39HqLyjWDarjtT1zdp7dc' },
  ApproveAppRequest: { version: '1.2.0' },
  RejectAppRequest: { reason: 'The icon is the mark of another company.' },
  SetAppStatusRequest: { status: 'suspended' },
  DeleteAnyAppRequest: { confirm_name: 'Invoices' },
  GiveTierRequest: { user_id: USER, tier: 'studio' },
  PayoutRequestCreate: {
    amount_tokens: 25_000,
    payout_method: 'bank transfer',
    notes: 'The account that we agreed on.',
  },
  ApprovePayoutRequest: { note: 'You have it by Friday.' },
  RejectPayoutRequest: { note: 'Tell us first where to pay it.' },
  PayPayoutRequest: { reference: 'SEPA 2026-11-25 0042' },

  // Calls
  CallRequest: { user_id: USER, function: 'create_note', params: { text: 'Buy milk' } },
  BatchCallRequest: {
    user_id: USER,
    calls: [{ function: 'create_note', params: { text: 'Buy milk' } }, { function: 'list_notes' }],
  },
  OperateRequest: { user_id: USER, function: 'delete_note', params: { id: 'note_1' } },
  ActionCreateRequest: {
    ...{
      trace_id: TRACE,
      user_id: USER,
      app_id: 'invoices',
      tool_name: 'create_invoice',
      action_type: 'write',
      status: 'success',
    },
    ...{ duration_ms: 120, llm_steps: [{ model: 'small', tokens: 310 }], llm_total_tokens: 310 },
  },
  RuleCreateRequest: { prompt: 'every day at 09:00: message "Good morning"', max_per_hour: 1 },

  // Registry
  CreateRegistryAppRequest: { app_id: 'invoices', display_name: 'Invoices', category: 'finance' },
  UpdateRegistryAppRequest: { display_name: 'Invoices', version: '1.2.0' },
  PutToolsRequest: {
    tools: [
      {
        name: 'create_invoice',
        description: 'Writes an invoice.',
        action_type: 'write',
        params_schema: { type: 'object' },
      },
    ],
    skeleton_sections: [{ section_name: 'open_invoices', refresh_activity: 'invoices.refresh', ttl: 300 }],
    version: '1.2.0',
  },
  RegisterInstallRequest: { app_id: 'invoices' },
};
