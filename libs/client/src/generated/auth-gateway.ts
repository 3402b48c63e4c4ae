// Written by `npm run openapi` from docs/openapi/auth-gateway.json. Changes here are lost.
export interface paths {
    "/v1/automations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The rules of the user, the newest first */
        get: operations["listAutomations"];
        put?: never;
        /**
         * Creates a rule from a prompt
         * @deprecated
         * @description Creates a rule from a prompt. New clients call the function `create_automation` of the extension `automations` instead.
         */
        post: operations["createAutomation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/automations/{rule_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Deletes a rule with its history */
        delete: operations["deleteAutomation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/automations/{rule_id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The rule does not fire until it is resumed; it keeps its counts */
        post: operations["pauseAutomation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/automations/{rule_id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The rule fires again, and counts its firings from 0 */
        post: operations["resumeAutomation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The keys of the user, the newest first */
        get: operations["listKeys"];
        put?: never;
        /**
         * Creates a key
         * @description Creates a key. This answer is the only one that shows it.
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Deletes a key; it is refused from then on */
        delete: operations["deleteKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where the user is signed in */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/sessions/revoke-others": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Signs out everywhere but here */
        post: operations["revokeOtherSessions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/sessions/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enters a session that a client keeps by other means, so that it is listed and can be revoked
         * @description Enters a session that a client keeps by other means, so that it is listed and can be revoked. It gets no tokens. A user has 25 of them at most, beside the sign-ins; the one that was idle longest makes room. 30 an hour for each user.
         */
        post: operations["registerSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/sessions/{session_id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ends a session: it is refused by every process of the gateway at once, or within 5 s should a notification be lost */
        post: operations["revokeSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/sessions/{session_id}/valid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether a session may still be used */
        get: operations["isSessionValid"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The public keys that verify access tokens
         * @description The public keys that verify access tokens. Answers 304 to a matching `If-None-Match`.
         */
        get: operations["keySet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schemas/app-document.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The JSON Schema (2020-12) of app documents, for editors: refer to it with $schema
         * @description The JSON Schema (2020-12) of app documents, for editors: refer to it with `$schema`. Answers 304 to a matching `If-None-Match`.
         */
        get: operations["appDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/nickname-available": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether a nickname could be taken now: 3 to 30 characters of a-z, 0-9, _ and -
         * @description Whether a nickname could be taken now: 3 to 30 characters of a-z, 0-9, `_` and `-`.
         */
        get: operations["nicknameAvailable"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/email-available": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether an address could sign up now
         * @description Whether an address could sign up now. An operator can have it answer `true` for every address (`EMAIL_AVAILABLE_MODE`).
         */
        get: operations["emailAvailable"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/cli/codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Mints a one-time code for the acting user, bound to a PKCE challenge and, if there is one, a redirect to this machine */
        post: operations["createCliCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/cli/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchanges a one-time code and its PKCE verifier for tokens
         * @description Exchanges a one-time code and its PKCE verifier for tokens. 400 `invalid_grant` uses the code up.
         */
        post: operations["exchangeCliCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/cli/device/authorize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begins a login that a person confirms in the panel, on whatever device (RFC 8628 with PKCE) */
        post: operations["authorizeDevice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/cli/device/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What is asking with a user code, for the person who has to decide */
        post: operations["lookUpDevice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/cli/device/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approves or denies a login for the acting user
         * @description Approves or denies a login for the acting user. 404 unknown, 409 decided already, 410 expired, 429 after ten wrong codes.
         */
        post: operations["approveDevice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/cli/device/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Polls: 200 with error while nobody has decided, then 200 with the tokens, once
         * @description Polls: 200 with `error` while nobody has decided, then 200 with the tokens, once. 400 with `error` ends the login.
         */
        post: operations["pollDevice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Signs in with e-mail and password */
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchanges a refresh token for a new pair
         * @description Exchanges a refresh token for a new pair. Each token is good once; for 60 s it may be sent again and returns the same successor. Only 401 means that the session is over.
         */
        post: operations["refresh"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ends the session of a refresh token
         * @description Ends the session of a refresh token. Answers the same whether there was one or not.
         */
        post: operations["logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/users/{platform_id}/cases-uid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Notes the user's id in the Cases API
         * @description Notes the user's id in the Cases API. The panel calls it on the first sign-in.
         */
        patch: operations["setCasesUid"];
        trace?: never;
    };
    "/v1/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The user of the access token or API key, whose scopes are then those of the key
         * @description The user of the access token or API key, whose scopes are then those of the key. A change made elsewhere shows within 5 s. `attributes.billing` says to whom their invoices are made out, where they said so; with an API key only if it has `billing:read`.
         */
        get: operations["me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the caller has decided for themselves */
        get: operations["getMySettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Changes what the body names
         * @description Changes what the body names. It takes a person: an API key, which a script holds, cannot decide that nobody is asked.
         */
        patch: operations["updateMySettings"];
        trace?: never;
    };
    "/v1/me/nickname": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The nickname of the caller, and null when there is none */
        get: operations["getNickname"];
        /**
         * Takes a nickname, in place of the one that the user has
         * @description Takes a nickname, in place of the one that the user has. Nobody else on the platform may have it.
         */
        put: operations["setNickname"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/forgot-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mails a link for a new password, at most once a minute
         * @description Mails a link for a new password, at most once a minute. The answer is the same for every address.
         */
        post: operations["forgotPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/reset-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sets a new password with the token of the mail, which works once and for 30 minutes
         * @description Sets a new password with the token of the mail, which works once and for 30 minutes. Signs out everywhere and ends API keys, unless the person keeps what their programs use.
         */
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/me/change-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sets a new password
         * @description Sets a new password. Signs out everywhere but here.
         */
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates a user for a trusted backend, without a verification mail, and signs them in
         * @description Creates a user for a trusted backend, without a verification mail, and signs them in. 409 when the address is taken.
         */
        post: operations["register"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/signup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Signs up
         * @description Signs up. A mail with a link follows: using it creates the account with this password, and no other link does.
         */
        post: operations["signup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/signup-status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How far a signup is, for a page that waits
         * @description How far a signup is, for a page that waits. Takes the `status_token` of the signup, not the token of the mail.
         */
        get: operations["signupStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/verify-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirms the address with the token of the mail, creates the account with the password of that very signup, and signs in
         * @description Confirms the address with the token of the mail, creates the account with the password of that very signup, and signs in. Where several signups with the address wait, it takes the `password` or the `status_token` of the signup too: else 409 `signup.ambiguous`.
         */
        post: operations["verifyEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/resend-verification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mails the confirmation link again, at most once a minute: that of the signup whose status_token comes along, else that of the only one that waits
         * @description Mails the confirmation link again, at most once a minute: that of the signup whose `status_token` comes along, else that of the only one that waits. The answer is the same for every address.
         */
        post: operations["resendVerification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agencies/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The agency of the user; without one, a placeholder with the id default, the name of the tenant and the platform's own look
         * @description The agency of the user; without one, a placeholder with the id `default`, the name of the tenant and the platform's own look.
         */
        get: operations["myAgency"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agencies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The agencies of the tenant, the oldest first */
        get: operations["listAgencies"];
        put?: never;
        /** Creates an agency */
        post: operations["createAgency"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agencies/{agency_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An agency of the tenant */
        get: operations["getAgency"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agencies/{agency_id}/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Changes the settings that the body names and keeps all others */
        put: operations["updateAgencySettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agencies/{agency_id}/theme": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Replaces the theme as a whole */
        put: operations["replaceAgencyTheme"];
        post?: never;
        /** Goes back to the platform's own look */
        delete: operations["resetAgencyTheme"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who changed what, the newest first
         * @description Who changed what, the newest first. For stable paging through a growing log fix `to`. Unknown query keys are ignored.
         */
        get: operations["readAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/roles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The roles of the tenant, by name */
        get: operations["listRoles"];
        put?: never;
        /**
         * Creates a role
         * @description Creates a role. Nobody gives it scopes that they do not hold.
         */
        post: operations["createRole"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/roles/{role_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Deletes a role that nobody has */
        delete: operations["deleteRole"];
        options?: never;
        head?: never;
        /**
         * Changes what is given
         * @description Changes what is given. `cascade` brings the users of the role in line with it, all in one transaction.
         */
        patch: operations["updateRole"];
        trace?: never;
    };
    "/v1/scopes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The scopes that the tenant sees: the platform's and its own */
        get: operations["listScopes"];
        put?: never;
        /** Creates a scope, for every tenant by the platform's own administrators, else for the caller's tenant */
        post: operations["createScope"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/scopes/effective/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Where each scope of a user comes from, and what was denied to them, when, why and by whom
         * @description Where each scope of a user comes from, and what was denied to them, when, why and by whom. One's own, or with `users:read`.
         */
        get: operations["effectiveScopes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/scopes/{scope_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Deletes a scope that is no part of the platform and that nobody holds */
        delete: operations["deleteScope"];
        options?: never;
        head?: never;
        /** Changes how a scope is shown */
        patch: operations["updateScope"];
        trace?: never;
    };
    "/v1/tenants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The tenants that the caller sees, by id, those that were deleted included */
        get: operations["listTenants"];
        put?: never;
        /**
         * Creates a tenant and the roles that it cannot be without
         * @description Creates a tenant and the roles that it cannot be without. Who may resell creates tenants below their own; whatever else an administrator of a tenant tries to create is refused.
         */
        post: operations["createTenant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tenants/{tenant_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A tenant that the caller does not see is not there */
        get: operations["getTenant"];
        put?: never;
        post?: never;
        /**
         * Takes a tenant out of use: nobody signs in to it any more, and sessions and API keys end at once
         * @description Takes a tenant out of use: nobody signs in to it any more, and sessions and API keys end at once. Its data stays.
         */
        delete: operations["deleteTenant"];
        options?: never;
        head?: never;
        /**
         * Changes what is given
         * @description Changes what is given. An administrator of the tenant itself changes its name and how its users sign in; `db_config`, `max_connections`, `features` and `is_active` are for those who manage every tenant.
         */
        patch: operations["updateTenant"];
        trace?: never;
    };
    "/v1/tenants/{tenant_id}/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Opens a connection to the tenant's database, for 3 seconds at most
         * @description Opens a connection to the tenant's database, for 3 seconds at most. Without `db_config` its data is in the platform's own.
         */
        get: operations["getTenantHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The users of the tenant, the newest first */
        get: operations["listUsers"];
        put?: never;
        /** Creates a user whose address counts as confirmed */
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A user of the tenant, with their role and scopes */
        get: operations["getUser"];
        put?: never;
        post?: never;
        /**
         * Deactivates a user; with permanent erases everything personal for good
         * @description Deactivates a user; with `permanent` erases everything personal for good.
         */
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        /**
         * Changes what is given
         * @description Changes what is given. Rights count at once; deactivating ends every session.
         */
        patch: operations["updateUser"];
        trace?: never;
    };
    "/v1/billing/auto-topup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How the caller lets credits be bought when few are left */
        get: operations["readAutoTopup"];
        /**
         * Changes what the body names
         * @description Changes what the body names. To enable it is to consent to payments without the caller; where few credits are left already, some are bought at once.
         */
        put: operations["updateAutoTopup"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * To whom the caller's invoices are made out from now on
         * @description To whom the caller's invoices are made out from now on. What the body does not name stays; null or an empty text clears it.
         */
        put: operations["updateBillingProfile"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/payment-methods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The cards that the caller has saved, the newest first */
        get: operations["listPaymentMethods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/payment-methods/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begins to save a card
         * @description Begins to save a card. A browser ends it with the `client_secret`; the first card of a user becomes the default.
         */
        post: operations["setUpPaymentMethod"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/payment-methods/{pm_id}/default": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Has this card pay what comes without the caller */
        put: operations["setDefaultPaymentMethod"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/payment-methods/{pm_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Removes a card
         * @description Removes a card. The last one stays while a plan is paid with it.
         */
        delete: operations["deletePaymentMethod"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/stripe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * For the payment provider alone, who signs what it sends
         * @description For the payment provider alone, who signs what it sends. The event is stored when this answers, and has its effect a moment later.
         */
        post: operations["receiveStripeEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The caller's invoices and credit notes, the newest first */
        get: operations["listInvoices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/invoices/{invoice_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One of the caller's invoices or credit notes */
        get: operations["getInvoice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/invoices/{invoice_id}/html": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The same as a page to print, without scripts, and without anything that is loaded from elsewhere */
        get: operations["getInvoicePage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The caller's payments, the newest first, those that are under way among them */
        get: operations["listPayments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/payments/{payment_intent_id}/continue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Goes on with a payment of the caller that waits for them, such as one by a saved card that the bank wants confirmed
         * @description Goes on with a payment of the caller that waits for them, such as one by a saved card that the bank wants confirmed. Asks the provider how it stands.
         */
        post: operations["continuePayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The plans of the platform, the smallest first */
        get: operations["listPlans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/subscription": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The plan of the caller */
        get: operations["readSubscription"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the caller has used in this period, and may use */
        get: operations["readUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/portal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A page of the payment provider, on which the caller sees cards and receipts
         * @description A page of the payment provider, on which the caller sees cards and receipts. It takes no `Idempotency-Key`: each answer is a new address, which is not kept here.
         */
        post: operations["openPortal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/payments/{payment_intent_id}/refund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Gives back a payment, or a part of it
         * @description Gives back a payment, or a part of it. The credits that it brought are taken back in proportion; what was spent of them already the user owes. A full refund of the current period of a plan ends the plan. The status `requested` says that the provider did not answer: it is asked again, so do not ask for another refund.
         */
        post: operations["refundPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/spending": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How much the caller lets be spent without them in a month, and what was in this one */
        get: operations["readMySpending"];
        /**
         * Changes what the body names, from the next call on
         * @description Changes what the body names, from the next call on. It takes a person: an API key, which a script holds, cannot let more be spent.
         */
        put: operations["updateMySpending"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/subscribe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Takes the free plan
         * @description Takes the free plan. A plan that is paid begins by `/v1/billing/checkout`, as the 402 says.
         */
        post: operations["subscribe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/checkout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begins the first payment of a plan
         * @description Begins the first payment of a plan. A browser pays with the `client_secret`.
         */
        post: operations["checkOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/checkout/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Asks the provider whether a payment for a plan was made, and begins the plan where it was
         * @description Asks the provider whether a payment for a plan was made, and begins the plan where it was. Again, it answers the same.
         */
        post: operations["confirmCheckout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ends the plan with its period; what was paid for stays until then */
        post: operations["cancelSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes back what was to happen at the end of the period: that the plan ends, or becomes a smaller one */
        post: operations["resumeSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/change-plan/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What a change of plan would cost now, and when it would happen
         * @description What a change of plan would cost now, and when it would happen. Changes nothing.
         */
        post: operations["previewPlanChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/change-plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Changes to a larger plan at once, which the saved card pays or else a browser; to a smaller one at the end of the period */
        post: operations["changePlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/renew": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pays the next period of a plan that was not renewed by itself, by the saved card */
        post: operations["renewSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/topup-config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What a top-up may be of, and the publishable key with which a browser pays */
        get: operations["readTopupConfig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/topup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begins to buy credits
         * @description Begins to buy credits. A browser pays with the `client_secret`; with `off_session` the saved card pays at once.
         */
        post: operations["topUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/topup/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Says that a top-up was paid, which the provider is then asked
         * @description Says that a top-up was paid, which the provider is then asked. Its webhook says the same; the first of both credits it.
         */
        post: operations["confirmTopup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/wallets/{user_id}/adjust": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Gives a user credits, or takes some of those that they can spend */
        post: operations["adjustWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/wallet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the caller has to spend
         * @description What the caller has to spend. Who has no wallet yet has nothing in it.
         */
        get: operations["readWallet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The same as /v1/billing/wallet
         * @description The same as `/v1/billing/wallet`.
         */
        get: operations["readBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/wallet/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What moved the caller's credits, the newest first */
        get: operations["listWalletHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/developer/apps/{app_id}/analytics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Calls and earnings, as far back as the tier allows */
        get: operations["getAppAnalytics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/payouts/pending": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The payouts that wait for a decision, or with status=approved for their payment; those that wait longest first
         * @description The payouts that wait for a decision, or with `status=approved` for their payment; those that wait longest first.
         */
        get: operations["listOpenPayouts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/payouts/{payout_id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Says that a pending payout is to be paid
         * @description Says that a pending payout is to be paid. The same decision again changes nothing, also with another note: it answers as the first.
         */
        post: operations["approvePayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/payouts/{payout_id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Gives the credits of a payout back to its developer */
        post: operations["rejectPayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/payouts/{payout_id}/paid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Says that the money of an approved payout has left */
        post: operations["payPayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/developer/earnings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the caller earned by all of their apps, and what became of it */
        get: operations["getEarnings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/developer/earnings/{app_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the caller earned by one app, also when it is gone */
        get: operations["getAppEarnings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/developer/payouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The caller's payouts, the newest first */
        get: operations["listPayouts"];
        put?: never;
        /**
         * The same as /v1/developer/payouts/request
         * @description The same as `/v1/developer/payouts/request`.
         */
        post: operations["createPayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/developer/payouts/request": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Asks for a payout of earnings
         * @description Asks for a payout of earnings. The credits are debited at once; they come back when the payout is rejected.
         */
        post: operations["requestPayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/developer/apps/{app_id}/secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The secrets of the app itself that the version that runs declares */
        get: operations["listAppSecrets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/developer/apps/{app_id}/secrets/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Sets a secret of the app
         * @description Sets a secret of the app. Only the app reads it.
         */
        put: operations["setAppSecret"];
        post?: never;
        /** Removes a secret of the developer's app */
        delete: operations["deleteAppSecret"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/developer/apps/{app_id}/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the runs of the app have logged
         * @description What the runs of the app have logged. With `wait_seconds` it answers once there is a line, or when the time is over.
         */
        get: operations["getAppLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/developer/apps/{app_id}/webhook-deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What has come to the webhooks of the app that have an inbox */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/developer/apps/{app_id}/webhook-deliveries/{delivery_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** With the request as it came: its headers, and the first 64 KiB of its body */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/developer/apps/{app_id}/webhook-deliveries/{delivery_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Has the webhook handle the same request once more
         * @description Has the webhook handle the same request once more. Answers at once; the delivery tells what became of it.
         */
        post: operations["replayWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/developer/apps/{app_id}/schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The schedules of the version that runs, when they run next, and their last runs */
        get: operations["listSchedules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/developer/apps/{app_id}/schedules/{name}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Runs a schedule now, beside its times
         * @description Runs a schedule now, beside its times. Answers at once; the list of schedules tells what became of it.
         */
        post: operations["runSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/developer/apps/{app_id}/event-deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The events that the app has a handler for */
        get: operations["listEventDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/developer/apps/{app_id}/event-deliveries/{event_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Has the app handle the same event once more
         * @description Has the app handle the same event once more. Answers at once; the delivery tells what became of it.
         */
        post: operations["replayEventDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/apps/sync-pricing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Gives every app the price that its settings say, where it has another */
        post: operations["syncAllPrices"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/apps/{app_id}/sync-pricing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Gives an app the price that its settings say, where it has another */
        post: operations["syncPrices"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/apps/pending": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The apps that wait for a review, those that wait longest first */
        get: operations["listPendingApps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/apps/{app_id}/pending": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What waits of an app, as it would be published: what a decision about it is about */
        get: operations["showPendingApp"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/apps/{app_id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Puts an app into the marketplace, in the version that was submitted; of one that is there, has the version run that waits */
        post: operations["approveApp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/apps/{app_id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Makes an app a draft again and tells its developer why */
        post: operations["rejectApp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/apps/{app_id}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sets the status without a review */
        post: operations["setAppStatus"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/apps/{app_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Deletes an app with all its versions, and removes it from whoever has it installed */
        delete: operations["deleteAnyApp"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/developer/apps/{app_id}/submit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Asks for a review of the version that runs now
         * @description Asks for a review of the version that runs now. Answers 409 with the checks when something that is required is missing.
         */
        post: operations["submitApp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/developer/apps/{app_id}/suspend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Takes an app out of review, or out of the marketplace
         * @description Takes an app out of review, or out of the marketplace. It can be submitted again.
         */
        post: operations["suspendApp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/developer/apps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The newest first
         * @description The newest first. Each with the addresses of its webhooks.
         */
        get: operations["listDeveloperApps"];
        put?: never;
        /**
         * Creates a draft
         * @description Creates a draft. The operator may limit how many apps a developer has, by their tier.
         */
        post: operations["createApp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/developer/apps/{app_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** With the functions of the version that runs */
        get: operations["getDeveloperApp"];
        /**
         * Changes what is given
         * @description Changes what is given. Prices and shares change only while the app is a draft or suspended.
         */
        put: operations["updateApp"];
        post?: never;
        /** Deletes a draft or a suspended app with all its versions, and removes it from whoever has it installed */
        delete: operations["deleteApp"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/developer/apps/{app_id}/deploys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The deploys of an app, the newest first */
        get: operations["listDeploys"];
        put?: never;
        /**
         * Deploys a version: the document that comes along, or a stored one, so an older one is a rollback
         * @description Deploys a version: the document that comes along, or a stored one, so an older one is a rollback. Answers at once; the deploy tells how far it is. A trusted backend records a finished deploy with `commit_sha`.
         */
        post: operations["createDeploy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/developer/apps/{app_id}/deploys/{deploy_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How far a deploy is, and why it failed */
        get: operations["getDeploy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/developer/apps/{app_id}/_sync_manifest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes what a pipeline outside has built: the manifest of a version, which is then deployed, the icon, and whether the app is one of the system */
        post: operations["syncManifest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/developer/tier": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Gives a developer a tier, free of charge */
        post: operations["giveDeveloperTier"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/developer/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the tiers allow, by the configuration, and what they cost */
        get: operations["getDeveloperConfig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/developer/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Makes the user a developer, once
         * @description Makes the user a developer, once. A tier that costs credits is paid for a year, by who is signed in, or nobody is registered.
         */
        post: operations["registerDeveloper"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/developer/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The developer that the user is; 403 for everybody else */
        get: operations["getDeveloperProfile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/developer/tier": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Moves to another tier
         * @description Moves to another tier. A higher one costs credits of the caller's wallet, for a year from now; a lower one is free and at once, and gives nothing back. The same tier again changes nothing. When the year ends, the next one is paid; where the wallet cannot, the tier becomes `explorer`.
         */
        put: operations["updateDeveloperTier"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the user has done with apps, the newest first */
        get: operations["listActions"];
        put?: never;
        /**
         * Records a call that was made elsewhere than here
         * @description Records a call that was made elsewhere than here. The same `trace_id` again changes nothing. Calls made here are recorded anyway.
         */
        post: operations["createAction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/actions/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the user has done since the month began */
        get: operations["readActionStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/actions/stats/extension/{app_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What has been done with an app, for its developer: over 30 days, or as many as their tier shows */
        get: operations["readExtensionStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/actions/stats/marketplace/{app_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What has been done with an app over 30 days; up to an hour old */
        get: operations["readMarketplaceStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/actions/{trace_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An action of the user */
        get: operations["readAction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/extensions/{app_id}/call": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Calls a function of an extension
         * @description Calls a function of an extension. A function that failed answers 200 with `status: error`.
         */
        post: operations["callFunction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/extensions/{app_id}/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Calls functions of an extension side by side
         * @description Calls functions of an extension side by side. Answers in their order; what fails keeps the others from nothing.
         */
        post: operations["callFunctions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/extensions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The apps that the caller has, with the functions that can be called */
        get: operations["listMyExtensions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/extensions/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Switches an app off: it stays installed, and calls of it are refused */
        post: operations["disableMyExtension"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/extensions/disable/{app_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Switches an app on again */
        delete: operations["enableMyExtension"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/{user_id}/extensions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The apps of a user: for themselves, an administrator of their tenant, or a trusted backend */
        get: operations["listUserExtensions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/{user_id}/extensions/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Switches an app off for a user */
        post: operations["disableUserExtension"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/{user_id}/extensions/disable/{app_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Switches an app on again for a user */
        delete: operations["enableUserExtension"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/{user_id}/reset-conversation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begins a user's conversations anew
         * @description Begins a user's conversations anew. Money, billing, usage, installs and sign-ins stay.
         */
        post: operations["resetConversation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/marketplace/apps/{app_id}/install": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Installs an app for the caller, who so agrees to what its version asks for
         * @description Installs an app for the caller, who so agrees to what its version asks for. Who has it already keeps it, and agrees to what the version asks for that runs by now. An API key agrees to no more than it holds itself.
         */
        post: operations["installApp"];
        /**
         * Removes an app of the caller, whether they have it or not
         * @description Removes an app of the caller, whether they have it or not. What it keeps for them is deleted 30 days later, unless they install it again before; with `purge` at once.
         */
        delete: operations["uninstallApp"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What apps told the user, the newest first; kept for 90 days */
        get: operations["listNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/confirmations/active": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The calls that wait for the user */
        get: operations["listActiveConfirmations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/confirmations/{confirmation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A call that waits or waited for the user; a day after its time was over it is forgotten */
        get: operations["readConfirmation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/confirmations/{confirmation_id}/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Agrees: the call is made, once, and the answer says what became of it */
        post: operations["confirm[0]"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/confirmations/{confirmation_id}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Agrees: the call is made, once, and the answer says what became of it */
        post: operations["confirm[1]"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/confirmations/{confirmation_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Declines: the call is never made */
        post: operations["cancelConfirmation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/extensions/{app_id}/operate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Calls a function, or, unless it only reads, asks the user first: then answer the confirmation */
        post: operations["operate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/extensions/access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The rules of a tenant by app
         * @description The rules of a tenant by app. An app that is not in it is open to everybody.
         */
        get: operations["listAccessPolicies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/extensions/{app_id}/access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who of the tenant may call an app */
        get: operations["getAccessPolicy"];
        /** Says who of the tenant may call an app */
        put: operations["replaceAccessPolicy"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/extensions/{app_id}/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The users of the tenant who have an app, and whether they may call it */
        get: operations["listExtensionUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/secrets/{app_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Which secrets of the user the extension declares, and whether they are set */
        get: operations["listUserSecrets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/secrets/{app_id}/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The value */
        get: operations["getUserSecret"];
        /**
         * Sets a secret of the caller for an app
         * @description Sets a secret of the caller for an app. It is kept sealed and never read back.
         */
        put: operations["setUserSecret"];
        post?: never;
        /** Removes a secret of the caller for an app */
        delete: operations["deleteUserSecret"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/secrets/{app_id}/{name}/meta": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether it is set, without its value */
        get: operations["getUserSecretMeta"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/marketplace/apps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The apps of the marketplace: all, of a category, or found by their words */
        get: operations["listMarketplaceApps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/marketplace/apps/{app_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An app with what it can do and what that costs */
        get: operations["getMarketplaceApp"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/marketplace/apps/{app_id}/icon": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An SVG image; the initial of the app's name where it has none of its own */
        get: operations["getAppIcon"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/marketplace/apps/{app_id}/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The webhooks that the running version listens to, without what they are protected by */
        get: operations["listAppWebhooks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/marketplace/featured": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the operator puts forward */
        get: operations["listFeaturedApps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/marketplace/categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The categories, each with how many apps are in it */
        get: operations["listCategories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/marketplace/categories/catalog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What an app can be filed under, with the spellings that are taken for it */
        get: operations["getCategoryCatalog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/marketplace/developer/{developer_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A developer with their apps */
        get: operations["getMarketplaceDeveloper"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/marketplace/apps/{app_id}/reviews": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What users think of an app */
        get: operations["listReviews"];
        put?: never;
        /** Reviews an app that the caller has or had */
        post: operations["createReview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/marketplace/reviews/{review_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Changes a review of one's own */
        put: operations["updateReview"];
        post?: never;
        /** Deletes a review of one's own, with the votes on it */
        delete: operations["deleteReview"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/marketplace/reviews/{review_id}/vote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Says whether somebody else's review was helpful */
        post: operations["voteOnReview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        RuleCreateRequest: {
            /** @description The user who calls, or for whom a trusted backend does; anybody else is refused. */
            user_id?: string;
            /**
             * @description What should happen when, in the language of docs/automations.md.
             * @example every day at 09:00: message "Good morning"
             */
            prompt: string;
            /**
             * @description How long after it fired the rule does not fire again.
             * @default 60
             */
            cooldown_seconds?: number;
            /**
             * @description How often it fires within any hour.
             * @default 10
             */
            max_per_hour?: number;
            /**
             * @description How often it fires until it is paused; 0: without end.
             * @default 0
             */
            max_iterations?: number;
        };
        RuleTrigger: {
            /** @example notes.created */
            event_type: string;
            /**
             * @description When, for `system.scheduled` and for nothing else: minute, hour, day of month, month, day of week, in UTC.
             * @default null
             * @example 0 9 * * 1-5
             */
            schedule: string | null;
        };
        RuleResponse: {
            id: number;
            /** @enum {string} */
            status: "active" | "paused" | "error";
            /** @description Done one after the other, until one fails: `{message}` or `{app_id, tool, args}`. */
            actions: {
                [key: string]: unknown;
            }[];
            cooldown_seconds: number;
            max_per_hour: number;
            /** @description 0: without end. */
            max_iterations: number;
            /** @enum {string} */
            notify_mode: "all" | "failures" | "off";
            /** @description How often it fired since it was created or resumed. */
            trigger_count: number;
            /** @description Of the runs that are over, since it was created. */
            success_count: number;
            fail_count: number;
            /** @description The owner. */
            user_id: string;
            tenant_id: string;
            /** @description As it was written; of a rule that was given by its parts alone, the interpretation. */
            prompt: string;
            /** @description What the platform understood, in at most 200 characters. */
            interpretation: string;
            trigger_filter: components["schemas"]["RuleTrigger"];
            /** @description Of the last run; null when that succeeded. */
            last_error: string | null;
            /**
             * Format: date-time
             * @description When it fired last; for a schedule, the time that was due.
             */
            last_triggered: string | null;
            /**
             * Format: date-time
             * @description When a schedule is due next; null for other rules, and for those that are not active.
             */
            next_at: string | null;
            /** Format: date-time */
            created_at: string;
        };
        DeletedRuleResponse: {
            id: number;
            deleted: boolean;
        };
        RuleStatusResponse: {
            id: number;
            /** @enum {string} */
            status: "active" | "paused" | "error";
        };
        CreateKeyRequest: {
            name: string;
            /**
             * @description What the key may do, separated by commas; never more than its owner may do at the moment of a request.
             * @default *
             * @example users:read,apps:*
             */
            scopes?: string;
            /**
             * Format: date-time
             * @description Without it the key lives until it is deleted.
             */
            expires_at?: string;
        };
        KeyResponse: {
            id: string;
            /** @description Send it as `Authorization: Bearer` or `x-api-key`. It cannot be read again. */
            key: string;
            key_prefix: string;
            name: string;
            scopes: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string | null;
        };
        KeyListItem: {
            id: string;
            /**
             * @description Enough to recognise the key.
             * @example cp_live_4fQk0ZbWq2Lx
             */
            key_prefix: string;
            name: string;
            /** @example users:read,apps:* */
            scopes: string;
            /**
             * Format: date-time
             * @description Within a minute; null when it was never used.
             */
            last_used_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string | null;
        };
        DeleteKeyResponse: {
            /** @example deleted */
            status: string;
            id: string;
        };
        ApiKeyOwnerRequest: {
            key: string;
        };
        ApiKeyOwnerResponse: {
            key_id: string;
            user_id: string;
            tenant_id: string;
            role: string;
            /** @description What of the owner's present scopes the key was given. */
            scopes: string[];
            /** @description What the key was given. */
            key_scopes: string[];
        };
        SessionResponse: {
            /** @enum {string} */
            surface: "web" | "cli" | "api";
            session_id: string;
            /** @example Firefox on Linux */
            label: string | null;
            ip_address: string | null;
            user_agent: string | null;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description Within a minute.
             */
            last_seen_at: string;
            /**
             * Format: date-time
             * @description When it ends unless it is used before; never later than 180 days after it began.
             */
            expires_at: string;
            /** @description Whether it is the session that asks. */
            current: boolean;
        };
        SessionListResponse: {
            /** @description The one seen last first; at most 50. What can no longer be used is not in it. */
            sessions: components["schemas"]["SessionResponse"][];
        };
        RevokeOtherSessionsResponse: {
            /** @description How many were ended. */
            revoked: number;
        };
        RegisterSessionRequest: {
            /** @enum {string} */
            surface: "web" | "cli" | "api";
            label?: string;
            /** @description Default: that of the request. */
            user_agent?: string;
            /**
             * @description Default: that of the request.
             * @example 203.0.113.7
             */
            ip_address?: string;
            /** @description Whose session it is. Only a trusted backend that names no acting user gives it. */
            user_id?: string;
        };
        SessionIdResponse: {
            session_id: string;
        };
        RevokeSessionResponse: {
            /** @example revoked */
            status: string;
            session_id: string;
        };
        SessionValidResponse: {
            valid: boolean;
            session_id: string;
            /**
             * Format: date-time
             * @description Null while it is valid, and when it ended by itself.
             */
            revoked_at: string | null;
        };
        JsonWebKeyResponse: {
            /** @example RSA */
            kty: string;
            /** @example sig */
            use: string;
            /** @example RS256 */
            alg: string;
            kid: string;
            n: string;
            e: string;
        };
        JsonWebKeySetResponse: {
            /** @description The keys that may sign next, sign now, and signed until lately. */
            keys: components["schemas"]["JsonWebKeyResponse"][];
        };
        AvailabilityResponse: {
            /**
             * @description Why it is not available; null when it is.
             * @enum {string|null}
             */
            reason: "taken" | "reserved" | "invalid" | null;
            available: boolean;
        };
        CliCodeRequest: {
            /** @example E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM */
            code_challenge: string;
            /**
             * @default S256
             * @enum {string}
             */
            code_challenge_method?: "S256";
            /**
             * Format: uri
             * @description Where the command line waits for the code. The same value must come with the exchange.
             * @example http://127.0.0.1:51004/callback
             */
            redirect_uri?: string;
        };
        CliCodeResponse: {
            /**
             * @description Seconds.
             * @example 60
             */
            expires_in: number;
            /** @description Good for one exchange at `POST /v1/auth/cli/token`. */
            code: string;
            redirect_uri: string | null;
        };
        CliTokenRequest: {
            code: string;
            /** @example dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk-example */
            code_verifier: string;
            /** @description Equal to that of the code, and absent when the code had none. */
            redirect_uri?: string;
        };
        TokenResponse: {
            /**
             * @description Seconds until the access token expires.
             * @example 900
             */
            expires_in: number;
            /** @description A JWT for the `Authorization: Bearer` header. */
            access_token: string;
            /** @description Good for one refresh, which returns the next one. */
            refresh_token: string;
            /** @example bearer */
            token_type: string;
            /**
             * @description After a password or a confirmed address. To be sent with the next login from this device: then wrong passwords of strangers do not delay
             *     it.
             */
            device_token?: string;
        };
        DeviceAuthorizeRequest: {
            /** @example E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM */
            code_challenge: string;
            /**
             * @default S256
             * @enum {string}
             */
            code_challenge_method?: "S256";
            /**
             * @description What the person sees when they are asked, such as the name of the machine.
             * @example platform CLI on ada-laptop
             */
            label?: string;
        };
        DeviceAuthorizeResponse: {
            /**
             * @description Seconds.
             * @example 600
             */
            expires_in: number;
            /**
             * @description Seconds to wait between two polls.
             * @example 5
             */
            interval: number;
            /** @description The client's secret; it never appears on a page or in a URL. */
            device_code: string;
            /** @example BCDF-GHJK */
            user_code: string;
            verification_uri: string;
            /** @description `verification_uri` with the user code in it. */
            verification_uri_complete: string;
        };
        DeviceLookupRequest: {
            /** @example BCDF-GHJK */
            user_code: string;
        };
        DeviceLookupResponse: {
            /** @example pending */
            status: string;
            user_code: string;
            label: string | null;
            ip_address: string | null;
            user_agent: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string;
        };
        DeviceApproveRequest: {
            /** @example BCDF-GHJK */
            user_code: string;
            /**
             * @default approve
             * @enum {string}
             */
            action?: "approve" | "deny";
        };
        DeviceApproveResponse: {
            /** @enum {string} */
            status: "approved" | "denied";
            label: string | null;
            ip_address: string | null;
            user_agent: string | null;
        };
        DevicePendingResponse: {
            /** @enum {string} */
            error: "authorization_pending" | "slow_down";
            /** @description Seconds to wait from now on. */
            interval: number;
        };
        DeviceTokenRequest: {
            device_code: string;
            /** @example dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk-example */
            code_verifier: string;
        };
        LoginRequest: {
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
            /**
             * Format: password
             * @example correct horse battery
             */
            password: string;
            /** @default default */
            tenant_id?: string;
            /** @description That of the last login of this account from this device. One that is not valid counts as none. */
            device_token?: string;
        };
        RefreshRequest: {
            refresh_token: string;
        };
        MessageResponse: {
            message: string;
        };
        SetCasesUidRequest: {
            /**
             * @description The user's id in the Cases API: a whole number of at least 1, as text.
             * @example 4711
             */
            cases_user_id: string;
        };
        SetCasesUidResponse: {
            cases_user_id: number;
            platform_id: string;
        };
        UserResponse: {
            cases_user_id: number | null;
            platform_id: string;
            /** @description The same as `platform_id`. */
            id: string;
            email: string;
            first_name: string | null;
            last_name: string | null;
            role: string;
            tenant_id: string;
            agency_id: string | null;
            org_id: string | null;
            is_active: boolean;
            /** @example email */
            auth_method: string;
            /** @description What the role and the user's own grants add up to, now. */
            scopes: string[];
            attributes: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            last_login: string | null;
        };
        MySettings: {
            /**
             * @description Whether to be asked before something that acts for the user writes or destroys: always, or never. Null: as their role has it. It counts
             *     where the role says `default_on` or `default_off`, and not for money, about which they are always asked.
             */
            confirmation_enabled: boolean | null;
        };
        MySettingsResponse: {
            settings: components["schemas"]["MySettings"];
        };
        UpdateSettingsRequest: {
            /** @description The user who calls, or for whom a trusted backend does; anybody else is refused. */
            user_id?: string;
            /** @description Null: as the role has it. */
            confirmation_enabled?: boolean | null;
        };
        NicknameResponse: {
            /** @description Null while the user has none. */
            nickname: string | null;
        };
        NicknameBody: {
            /** @description The user who calls, or for whom a trusted backend does; anybody else is refused. */
            user_id?: string;
            /** @example ada-lovelace */
            nickname: string;
        };
        ForgotPasswordRequest: {
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
            /** @default default */
            tenant_id?: string;
        };
        ResetPasswordRequest: {
            /** @description The token of the mail. */
            token: string;
            /**
             * Format: password
             * @example correct horse battery
             */
            new_password: string;
            /**
             * @description API keys end with the old password, unless this is true.
             * @default false
             */
            keep_api_keys?: boolean;
            /**
             * @description Sessions of command lines end like all others, unless this is true.
             * @default false
             */
            keep_terminal_sessions?: boolean;
        };
        ChangePasswordRequest: {
            /**
             * Format: password
             * @example correct horse battery
             */
            current_password: string;
            /**
             * Format: password
             * @example correct horse battery
             */
            new_password: string;
        };
        RegisterRequest: {
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
            /**
             * Format: password
             * @example correct horse battery
             */
            password: string;
            /** @default default */
            tenant_id?: string;
        };
        SignupRequest: {
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
            /**
             * Format: password
             * @example correct horse battery
             */
            password: string;
            /** @default default */
            tenant_id?: string;
            /** @example Ada */
            first_name?: string;
            /** @example Lovelace */
            last_name?: string;
        };
        SignupResponse: {
            message: string;
            user_id: string;
            /** @description For `GET /v1/auth/signup-status`. It shows how far the signup is, and says which of several is meant. */
            status_token: string;
        };
        SignupStatusResponse: {
            /**
             * @description `expired`: the link was not used in time; ask for a new one with `POST /v1/auth/resend-verification`.
             * @enum {string}
             */
            status: "pending" | "verified" | "expired" | "unknown";
            /** @example a••@example.com */
            email_masked: string | null;
        };
        VerifyEmailRequest: {
            /** @description The token of the verification mail. */
            token: string;
            /** @description The `status_token` of the signup. It or the `password` is needed where several signups with the address wait (409 `signup.ambiguous`). */
            status_token?: string;
            /**
             * Format: password
             * @description The password of the signup.
             * @example correct horse battery
             */
            password?: string;
        };
        ResendVerificationRequest: {
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
            /** @default default */
            tenant_id?: string;
            /** @description The `status_token` of the signup whose link is asked for. Needed where several signups with the address wait. */
            status_token?: string;
        };
        AgencySettings: {
            /** @enum {string} */
            compliance_tier?: "standard" | "federal" | "enterprise";
            retention_days?: number;
            logo_url?: string;
            /** @description `logo_url` where none is set for the dark mode. */
            logo_dark_url?: string;
            extra?: {
                [key: string]: unknown;
            };
        };
        AgencyThemeColor: {
            /** @example #2a54d4 */
            light: string;
            dark: string;
        };
        AgencyTheme: {
            /**
             * @description What is left out keeps the platform's own colour. `X` and `X-foreground`, and `background` and `foreground`, must have a contrast of
             *     at least 4.5:1 in both modes (WCAG 2.2 AA).
             * @default {}
             */
            colors?: {
                background?: components["schemas"]["AgencyThemeColor"];
                foreground?: components["schemas"]["AgencyThemeColor"];
                card?: components["schemas"]["AgencyThemeColor"];
                "card-foreground"?: components["schemas"]["AgencyThemeColor"];
                popover?: components["schemas"]["AgencyThemeColor"];
                "popover-foreground"?: components["schemas"]["AgencyThemeColor"];
                primary?: components["schemas"]["AgencyThemeColor"];
                "primary-foreground"?: components["schemas"]["AgencyThemeColor"];
                secondary?: components["schemas"]["AgencyThemeColor"];
                "secondary-foreground"?: components["schemas"]["AgencyThemeColor"];
                muted?: components["schemas"]["AgencyThemeColor"];
                "muted-foreground"?: components["schemas"]["AgencyThemeColor"];
                accent?: components["schemas"]["AgencyThemeColor"];
                "accent-foreground"?: components["schemas"]["AgencyThemeColor"];
                destructive?: components["schemas"]["AgencyThemeColor"];
                "destructive-foreground"?: components["schemas"]["AgencyThemeColor"];
                success?: components["schemas"]["AgencyThemeColor"];
                "success-foreground"?: components["schemas"]["AgencyThemeColor"];
                warning?: components["schemas"]["AgencyThemeColor"];
                "warning-foreground"?: components["schemas"]["AgencyThemeColor"];
                info?: components["schemas"]["AgencyThemeColor"];
                "info-foreground"?: components["schemas"]["AgencyThemeColor"];
                border?: components["schemas"]["AgencyThemeColor"];
                input?: components["schemas"]["AgencyThemeColor"];
                ring?: components["schemas"]["AgencyThemeColor"];
                sidebar?: components["schemas"]["AgencyThemeColor"];
            };
            /**
             * @default default
             * @enum {string}
             */
            density?: "compact" | "default" | "spacious";
            /**
             * @default default
             * @enum {string}
             */
            radius?: "sharp" | "default" | "rounded";
        };
        AgencyResponse: {
            agency_id: string;
            display_name: string;
            domain: string | null;
            settings: components["schemas"]["AgencySettings"];
            /** @description Null: the platform's own. */
            theme: components["schemas"]["AgencyTheme"] | null;
            /** Format: date-time */
            created_at: string;
        };
        AgencySettingsUpdate: {
            /**
             * @description An https URL with a host name, or a path of the panel such as `/logo.svg`.
             * @example https://cdn.example.com/logo.svg
             */
            logo_url?: string | null;
            /**
             * @description Where it is not set, the logo for the dark mode is `logo_url`.
             * @example https://cdn.example.com/logo.svg
             */
            logo_dark_url?: string | null;
            /** @enum {string|null} */
            compliance_tier?: "standard" | "federal" | "enterprise" | null;
            retention_days?: number | null;
            /**
             * @description Settings that the platform does not know. They are merged key by key: a key that is not named keeps its value, null removes one. A
             *     key that names a secret is refused at any depth.
             * @example {
             *       "support_url": "https://help.example.com"
             *     }
             */
            extra?: {
                [key: string]: unknown;
            };
        };
        CreateAgencyRequest: {
            /**
             * @description Unique within the tenant; `default` is what those without an agency are shown.
             * @example acme
             */
            agency_id: string;
            display_name: string;
            /**
             * @description Unique on the platform. It is kept in lower case, and other scripts in their ASCII form.
             * @example acme.example.com
             */
            domain?: string | null;
            /** @description Only an administrator or a trusted backend may give settings. */
            settings?: components["schemas"]["AgencySettingsUpdate"] | null;
        };
        AuditEntryResponse: {
            id: string;
            /** Format: date-time */
            created_at: string;
            tenant_id: string;
            actor_id: string;
            /** @description `user`, `api_key`, `service` or `system`. */
            actor_type: string;
            /** @description The user whose key it is, or whom the service acted for. */
            on_behalf_of: string | null;
            /** @example role.updated */
            action: string;
            target_type: string;
            target_id: string;
            before_state: {
                [key: string]: unknown;
            } | null;
            after_state: {
                [key: string]: unknown;
            } | null;
            metadata: {
                [key: string]: unknown;
            };
            /** @description The same as `actor_type`. */
            source: string;
            ip_address: string | null;
            user_agent: string | null;
            request_id: string | null;
        };
        AuditPageResponse: {
            /** @description How many match; counted up to 1000 beyond this page. */
            total: number;
            page: number;
            per_page: number;
            /** @description The newest first. */
            items: components["schemas"]["AuditEntryResponse"][];
            /** @description False when there are more than `total`. */
            total_is_exact: boolean;
        };
        RoleResponse: {
            /** @enum {string} */
            confirmation_policy: "enforced" | "default_on" | "default_off" | "disabled";
            max_concurrent_tasks: number;
            /** @description 0 is no limit. */
            monthly_action_limit: number;
            context_window: number;
            id: string;
            tenant_id: string;
            name: string;
            display_name: string;
            /** @description What every user of the role holds, now. */
            default_scopes: string[];
            /** @description What a new user of the role has among their attributes, and what `cascade` writes into those of the role's users. */
            default_attributes: {
                [key: string]: unknown;
            };
            default_extensions: string[];
            /** @description System roles cannot be deleted. */
            is_system: boolean;
            /** Format: date-time */
            created_at: string;
        };
        CreateRoleRequest: {
            /** @example support */
            name: string;
            display_name?: string;
            /**
             * @example [
             *       "users:read",
             *       "apps:*"
             *     ]
             */
            default_scopes?: string[];
            default_attributes?: {
                [key: string]: unknown;
            };
            default_extensions?: string[];
            /**
             * @default default_off
             * @enum {string}
             */
            confirmation_policy?: "enforced" | "default_on" | "default_off" | "disabled";
            /** @default 3 */
            max_concurrent_tasks?: number;
            /** @default 500 */
            monthly_action_limit?: number;
            /** @default 20 */
            context_window?: number;
        };
        UpdateRoleRequest: {
            display_name?: string;
            /**
             * @example [
             *       "users:read",
             *       "apps:*"
             *     ]
             */
            default_scopes?: string[];
            default_attributes?: {
                [key: string]: unknown;
            };
            default_extensions?: string[];
            /** @enum {string} */
            confirmation_policy?: "enforced" | "default_on" | "default_off" | "disabled";
            max_concurrent_tasks?: number;
            monthly_action_limit?: number;
            context_window?: number;
        };
        UpdatedRoleResponse: {
            /** @enum {string} */
            confirmation_policy: "enforced" | "default_on" | "default_off" | "disabled";
            max_concurrent_tasks: number;
            /** @description 0 is no limit. */
            monthly_action_limit: number;
            context_window: number;
            /** @description How many users `cascade` changed. */
            cascaded_count: number;
            id: string;
            tenant_id: string;
            name: string;
            display_name: string;
            /** @description What every user of the role holds, now. */
            default_scopes: string[];
            /** @description What a new user of the role has among their attributes, and what `cascade` writes into those of the role's users. */
            default_attributes: {
                [key: string]: unknown;
            };
            default_extensions: string[];
            /** @description System roles cannot be deleted. */
            is_system: boolean;
            /** Format: date-time */
            created_at: string;
        };
        DeletedResponse: {
            /** @example deleted */
            status: string;
            id: string;
        };
        ScopeResponse: {
            id: number;
            /** @example users:read */
            name: string;
            resource: string;
            action: string;
            display_name: string;
            description: string;
            /** @example platform */
            source: string;
            source_id: string | null;
            is_system: boolean;
            /** @description `_platform_` for what every tenant sees. */
            tenant_id: string;
            /** Format: date-time */
            created_at: string;
        };
        ScopeCreate: {
            /**
             * @description Not one of the platform's, such as `users`.
             * @example invoices
             */
            resource: string;
            /** @example read */
            action: string;
            /**
             * @description Always `resource:action`; may be left out.
             * @example invoices:read
             */
            name?: string;
            display_name?: string;
            description?: string;
            /** @example tenant */
            source?: string;
            source_id?: string;
            /**
             * @description `_platform_` for every tenant, or a tenant. Any but the caller's own is for who runs the platform. Default: every tenant for the
             *     platform's own administrators, else the caller's.
             */
            tenant_id?: string;
        };
        EffectiveScope: {
            /**
             * @description Whether the role gives it or a grant of the user's own.
             * @enum {string}
             */
            source: "role" | "user";
            scope: string;
            /** @description The grant it comes from, when a denial has cut that one to its parts. */
            granted_as: string;
        };
        ScopeDenial: {
            scope: string;
            reason: string | null;
            denied_by: string;
            /** Format: date-time */
            at: string;
            lifted_by: string | null;
            /**
             * Format: date-time
             * @description Null while it counts.
             */
            lifted_at: string | null;
        };
        EffectiveScopesResponse: {
            user_id: string;
            role: string;
            scopes: components["schemas"]["EffectiveScope"][];
            /** @description All of them, the latest first, also those that were lifted; at most 200. */
            denied: components["schemas"]["ScopeDenial"][];
        };
        ScopeUpdate: {
            display_name?: string;
            description?: string;
        };
        DeletedScopeResponse: {
            id: number;
            /** @example deleted */
            status: string;
        };
        TenantDatabaseConfig: {
            /** @example db.acme.example */
            host: string;
            /** @description Default: 5432. */
            port?: number | null;
            database: string;
            username: string;
            password: string;
        };
        CreateTenantRequest: {
            /**
             * @description For good: it cannot be changed.
             * @example acme
             */
            tenant_id: string;
            name: string;
            /** @description Only from the platform's own administrators and trusted backends. */
            db_config?: components["schemas"]["TenantDatabaseConfig"] | null;
            /**
             * @default postgresql
             * @enum {string}
             */
            db_backend?: "postgresql";
            /**
             * @description `dedicated` needs `db_config`, and `shared` takes none. Default: `dedicated` with `db_config`, else `shared`.
             * @enum {string|null}
             */
            isolation?: "shared" | "dedicated" | null;
            /**
             * @default email,api_key
             * @example email,api_key
             */
            allowed_auth_methods?: string;
            /** @default 10 */
            max_connections?: number;
            /** @default {} */
            features?: {
                [key: string]: unknown;
            };
            /**
             * @description For good: it cannot be changed.
             * @example acme
             */
            parent_tenant_id?: string | null;
        };
        TenantResponse: {
            /**
             * @description What the database is in which its data belongs: that of `db_config`, or the platform's own PostgreSQL.
             * @enum {string}
             */
            db_backend: "mariadb" | "postgresql";
            /**
             * @description `dedicated`: with a database of its own, which `db_config` names. Without: `shared`, in the platform's.
             * @enum {string}
             */
            isolation: "shared" | "dedicated";
            max_connections: number;
            id: string;
            /** @description The same as `id`. */
            tenant_id: string;
            name: string;
            /**
             * @description How its users may prove who they are: `email` (and password), `api_key`.
             * @example email,api_key
             */
            allowed_auth_methods: string;
            features: {
                [key: string]: unknown;
            };
            /** @description False once it was deleted. */
            is_active: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            parent_tenant_id: string | null;
            /** @description Whether its administrators may create tenants below it. */
            can_resell: boolean;
            custom_pricing: {
                [key: string]: unknown;
            };
            ui_config: {
                [key: string]: unknown;
            };
        };
        UpdateTenantRequest: {
            name?: string | null;
            db_config?: components["schemas"]["TenantDatabaseConfig"] | null;
            /**
             * @description Counts within 5 s. Sessions that were begun go on; the platform's own tenant keeps `email`.
             * @example email,api_key
             */
            allowed_auth_methods?: string | null;
            max_connections?: number | null;
            /** @description Replaced whole. */
            features?: {
                [key: string]: unknown;
            } | null;
            /** @description False is the same as deleting the tenant, true brings it back. */
            is_active?: boolean | null;
        };
        DeleteTenantResponse: {
            /** @example deleted */
            status: string;
            tenant_id: string;
        };
        TenantHealthResponse: {
            /**
             * @description What was asked: without `db_config` that is the platform's own PostgreSQL.
             * @enum {string}
             */
            db_backend: "mariadb" | "postgresql";
            tenant_id: string;
            healthy: boolean;
            /**
             * @description What exactly was checked, or why it failed.
             * @example shared
             */
            message: string;
        };
        UserDetailResponse: {
            id: string;
            /** @description The same as `id`. */
            platform_id: string;
            email: string;
            /** @description Whether the person, or who created them, has confirmed the address. Without that an account cannot sign in or be given rights. */
            email_verified: boolean;
            first_name: string | null;
            last_name: string | null;
            tenant_id: string;
            agency_id: string | null;
            role: string;
            /** @description Granted to the user beside the defaults of the role. */
            scopes: string[];
            /** @description Denied to the user, whatever grants them. */
            denied_scopes: string[];
            /** @description What it all adds up to. */
            effective_scopes: string[];
            attributes: {
                [key: string]: unknown;
            };
            is_active: boolean;
            /** @example email */
            auth_method: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            last_login: string | null;
        };
        UserListResponse: {
            /** @description How many match; counted up to 1000 beyond this page. */
            total: number;
            limit: number;
            offset: number;
            /** @description The newest first. */
            items: components["schemas"]["UserDetailResponse"][];
            /** @description False when there are more than `total`. */
            total_is_exact: boolean;
        };
        CreateUserRequest: {
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
            /**
             * Format: password
             * @example correct horse battery
             */
            password: string;
            first_name?: string;
            last_name?: string;
            /** @description A role of the tenant; `user` unless told. */
            role?: string;
            /**
             * @example [
             *       "users:read",
             *       "apps:*"
             *     ]
             */
            scopes?: string[];
            attributes?: {
                [key: string]: unknown;
            };
            agency_id?: string;
        };
        UpdateUserRequest: {
            role?: string;
            /**
             * @example [
             *       "users:read",
             *       "apps:*"
             *     ]
             */
            scopes?: string[];
            /**
             * @example [
             *       "users:read",
             *       "apps:*"
             *     ]
             */
            denied_scopes?: string[];
            /** @description Why, for the history of denials. */
            reason?: string;
            attributes?: {
                [key: string]: unknown;
            };
            is_active?: boolean;
            /** @description Null: the user leaves their agency. */
            agency_id?: string | null;
        };
        AutoTopUpSettings: {
            /**
             * @description Of the credits that the plan brings (`cap` of the wallet). Below it, credits are bought.
             * @example 10
             */
            threshold_pct: number;
            /**
             * @description Credits that are bought; as many times as much at once where that leaves fewer than the threshold.
             * @example 20000
             */
            recharge_tokens: number;
            /**
             * @description What they cost.
             * @example 2000
             */
            recharge_cents: number;
            /**
             * @description US cents that are paid in a day (UTC) at most.
             * @example 10000
             */
            daily_cap_cents: number;
            /**
             * @description US cents that are paid in a month (UTC) at most.
             * @example 50000
             */
            monthly_cap_cents: number;
            /**
             * @description What the percentage comes to now. 0 where the plan brings no credits: then nothing is bought.
             * @example 3000
             */
            threshold_tokens: number;
            /**
             * @description Why: the card was declined; three were bought in ten minutes; or what may be paid in a day or a month was.
             * @enum {string|null}
             */
            paused_reason: "declined" | "frequency" | "daily_cap" | "monthly_cap" | null;
            /**
             * @description Why it was disabled without the user: declined three times in a row, a bank that wants to see them, or a card that is gone.
             * @enum {string|null}
             */
            stopped_reason: "declined" | "authentication_required" | "card_removed" | "refunded" | "disputed" | null;
            enabled: boolean;
            /** @description The saved card that pays; empty: the default one. */
            payment_method_id: string;
            /**
             * Format: date-time
             * @description When the user last consented to what is enabled; null where it is not.
             */
            consented_at: string | null;
            /**
             * Format: date-time
             * @description Nothing is bought before; null where that is over.
             */
            paused_until: string | null;
        };
        AutoTopUpUpdate: {
            /** @description To enable it is to consent to payments without the user. */
            enabled: boolean;
            threshold_pct?: number;
            /**
             * @description Credits, by tens, as a top-up.
             * @example 20000
             */
            recharge_tokens?: number;
            /**
             * @description What they cost, as the client showed it: a tenth of `recharge_tokens`.
             * @example 2000
             */
            recharge_cents?: number;
            /**
             * @description Empty: the default card, whichever that is.
             * @example pm_1MtwBwLkdIwHu7ixEo9k2nZx
             */
            payment_method_id?: string;
            /**
             * @description No less than `recharge_cents`.
             * @example 10000
             */
            daily_cap_cents?: number;
            /**
             * @description No less than `daily_cap_cents`.
             * @example 50000
             */
            monthly_cap_cents?: number;
        };
        BillingProfileUpdate: {
            /** @description Null or empty: the name of the account. */
            name?: string | null;
            company?: string | null;
            /**
             * @description The number for value added tax.
             * @example DE123456789
             */
            vat?: string | null;
            /** @example DE */
            country?: string | null;
        };
        BillingProfile: {
            name: string | null;
            company: string | null;
            /** @description The number for value added tax. */
            vat: string | null;
            /**
             * @description ISO 3166-1 alpha-2.
             * @example DE
             */
            country: string | null;
        };
        PaymentMethodItem: {
            exp_month: number;
            exp_year: number;
            /** @example pm_1MtwBwLkdIwHu7ixEo9k2nZx */
            id: string;
            /** @example card */
            type: string;
            /** @example visa */
            brand: string;
            /** @example 4242 */
            last4: string;
            /** @description Whether it pays what comes without the user: renewals, and top-ups that happen by themselves. */
            is_default: boolean;
        };
        SetupResponse: {
            /** @description For the provider's form, which keeps the card. It belongs to the user alone. */
            client_secret: string;
            /** @example seti_1MtwBwLkdIwHu7ixEo9k2nZx */
            setup_intent_id: string;
            /** @description Of the provider's form, for browsers. No secret. */
            publishable_key: string;
        };
        WebhookReceipt: {
            received: boolean;
        };
        InvoiceBuyer: {
            name: string | null;
            company: string | null;
            /** @description The number for value added tax. */
            vat: string | null;
            /**
             * @description ISO 3166-1 alpha-2.
             * @example DE
             */
            country: string | null;
            email: string;
        };
        InvoiceLine: {
            quantity: number;
            unit_cents: number;
            amount_cents: number;
            description: string;
        };
        InvoiceResponse: {
            /** @enum {string} */
            kind: "invoice" | "credit_note";
            subtotal_cents: number;
            tax_cents: number;
            total_cents: number;
            id: string;
            /** @example 2026-000017 */
            number: string;
            /** @description Of a credit note: the invoice that it takes from. */
            credited_invoice_id: string | null;
            credited_invoice_number: string | null;
            /** @example pi_3MtwBwLkdIwHu7ix28a3tqPa */
            payment_intent_id: string;
            /** @description Who sells. */
            seller: string;
            buyer: components["schemas"]["InvoiceBuyer"];
            lines: components["schemas"]["InvoiceLine"][];
            /** @example usd */
            currency: string;
            /** Format: date-time */
            issued_at: string;
        };
        PaymentHistoryItem: {
            amount_cents: number;
            /** @description Credits that it brings. */
            tokens: number;
            /** @enum {string} */
            status: "pending" | "succeeded" | "failed" | "refunded";
            /**
             * @example topup
             * @enum {string}
             */
            type: "topup" | "subscription";
            /** @description What of it went back. */
            refunded_cents: number;
            /** @example pi_3MtwBwLkdIwHu7ix28a3tqPa */
            payment_intent_id: string;
            /** @example usd */
            currency: string;
            /** @description Whether it waits for its user to pay or confirm it: POST /v1/billing/payments/{payment_intent_id}/continue. */
            requires_action: boolean;
            /** @example topup */
            purpose: string;
            /** @description Of a payment for a plan. */
            plan: string | null;
            /** @description Why it was declined the last time, by the provider, for people. */
            failure_reason: string | null;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was over, one way or the other.
             */
            completed_at: string | null;
            /** @description The provider's receipt, empty where there is none. */
            receipt_url: string;
        };
        ContinuedPayment: {
            /** @enum {string} */
            status: "pending" | "succeeded" | "failed" | "refunded";
            amount_cents: number;
            /** @example pi_3MtwBwLkdIwHu7ix28a3tqPa */
            payment_intent_id: string;
            /** @description For the provider's form. It lets who has it pay this payment, so it belongs to the user alone. Null where there is nothing to pay any more. */
            client_secret: string | null;
            /** @description Of the provider's form, for browsers. No secret. */
            publishable_key: string;
            /** @example usd */
            currency: string;
        };
        PlanResponse: {
            /** @description Who has the plan keeps the version that they took. */
            version: number;
            /** @description Credits that each interval brings. What is left of them is gone when the next begins. */
            included_tokens: number;
            /**
             * @description What clients of the platform offer with it.
             * @example {
             *       "voice": true,
             *       "connectors": true,
             *       "coding": true,
             *       "connections": true,
             *       "file_reader": true
             *     }
             */
            features: {
                [key: string]: boolean;
            };
            /**
             * @description For an interval; of automations how many there are. What is absent is unlimited.
             * @example {
             *       "tool_calls": 20000,
             *       "automations": 100
             *     }
             */
            limits: {
                [key: string]: number;
            };
            /** @example pro */
            id: string;
            name: string;
            /** @description US dollars for an interval. 0 as well where a contract says the price: of `enterprise`. */
            price: number;
            /** @example month */
            interval: string;
            /** @description Whether users may take it by themselves. */
            self_service: boolean;
        };
        SubscriptionResponse: {
            plan_version: number;
            /**
             * @description `manual` is by contract.
             * @enum {string}
             */
            billing_mode: "card" | "manual" | "free";
            contract_amount_cents: number | null;
            /** @example free */
            plan: string;
            /** @example active */
            status: string;
            /**
             * Format: date-time
             * @description Null for a user who has just been made.
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @description Until when it is paid; null for `free`, which has no end. It is not after `period_starts_at` where the period of now is still to be paid: by itself within the hour, or
             *     by `POST /v1/billing/renew`.
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description Limits count from here to the end of the period.
             */
            period_starts_at: string;
            /** Format: date-time */
            period_ends_at: string;
            /** @description Whether it ends with the period. */
            cancel_at_period_end: boolean;
            /** @description The smaller plan that it becomes when the period ends; null where it stays. `POST /v1/billing/resume` takes that back. */
            pending_plan: string | null;
            /** @description Whether it needs a card that there is not. */
            card_required: boolean;
            billing_note: string | null;
        };
        LimitsResponse: {
            /**
             * @description By meters.
             * @example {
             *       "ai_tokens": 0,
             *       "tool_calls": 12,
             *       "automations": 2
             *     }
             */
            usage: {
                [key: string]: number;
            };
            /**
             * @description Of the plan, and of `tool_calls` that of the role where it is smaller. What is absent is unlimited.
             * @example {
             *       "tool_calls": 500,
             *       "automations": 10
             *     }
             */
            limits: {
                [key: string]: number;
            };
            /** @example free */
            plan: string;
            /** @description The meters of which nothing is left. */
            exceeded: string[];
            /**
             * Format: date-time
             * @description When the period ends, and all but what there is of something counts from 0.
             */
            resets_at: string;
        };
        PortalSessionResponse: {
            /** @description It lets in whoever has it, for some minutes, so it belongs to the user alone. */
            url: string;
        };
        RefundPaymentRequest: {
            /** @description US cents. Absent: all that is left of the payment. */
            amount_cents?: number | null;
            /** @description Why. It is kept with the refund. */
            note: string;
        };
        RefundPaymentResponse: {
            /** @enum {string} */
            status: "requested" | "pending" | "succeeded" | "failed";
            amount_cents: number;
            /** @description Of the payment, by this refund and those before. */
            refunded_cents: number;
            /** @description That can still be refunded. */
            left_cents: number;
            /** @description Credits that were taken back for this refund, `debt` included. 0 until it has succeeded. */
            credits_taken: number;
            /** @description What of them was spent already: the user owes it. */
            debt: number;
            refund_id: string;
            /** @example pi_3MtwBwLkdIwHu7ix28a3tqPa */
            payment_intent_id: string;
        };
        SpendingResponse: {
            /** @description For calls in runs that began while nobody was there: of schedules, of events and of webhooks, and whatever these call. Null: any amount. */
            unattended_limit: number | null;
            /** @description For calls that apps make of other apps while the user is there. Null: any amount. */
            other_apps_limit: number | null;
            /** @description In this month, with what is held for calls under way. */
            unattended_spent: number;
            other_apps_spent: number;
            /** Format: date-time */
            month_starts_at: string;
            /** Format: date-time */
            resets_at: string;
        };
        UpdateSpendingRequest: {
            /** @description The user who calls, or for whom a trusted backend does; anybody else is refused. */
            user_id?: string;
            /** @description Null: any amount. */
            unattended_limit?: number | null;
            /** @description Null: any amount. */
            other_apps_limit?: number | null;
        };
        SubscribeRequest: {
            /** @example pro */
            plan_id: string;
            /**
             * @description Plans are sold by the month.
             * @default monthly
             * @enum {string}
             */
            period?: "monthly" | "annual";
        };
        CheckoutRequest: {
            /** @example pro */
            plan_id: string;
            /**
             * @description Plans are sold by the month.
             * @default monthly
             * @enum {string}
             */
            period?: "monthly" | "annual";
            /**
             * @description Keeps the card, which then pays the months that follow.
             * @default true
             */
            save_payment_method?: boolean;
        };
        CheckoutResponse: {
            amount_cents: number;
            /** @description For the provider's form. It lets who has it pay this payment, so it belongs to the user alone. */
            client_secret: string;
            /** @example pi_3MtwBwLkdIwHu7ix28a3tqPa */
            payment_intent_id: string;
            /** @description Of the provider's form, for browsers. No secret. */
            publishable_key: string;
            /** @example usd */
            currency: string;
        };
        CheckoutConfirmRequest: {
            /** @example pi_3MtwBwLkdIwHu7ix28a3tqPa */
            payment_intent_id: string;
        };
        CheckoutConfirmResponse: {
            /**
             * @description `processing` with 202 while the bank takes its time: ask again later.
             * @enum {string}
             */
            status: "active" | "processing";
            /** @example pro */
            plan: string;
            /**
             * Format: date-time
             * @description Until when it is paid; null while it is not.
             */
            expires_at: string | null;
        };
        ChangePlanRequest: {
            /** @example pro */
            plan_id: string;
            /**
             * @description Plans are sold by the month.
             * @default monthly
             * @enum {string}
             */
            period?: "monthly" | "annual";
        };
        PlanChangePreview: {
            /** @enum {string} */
            action: "upgrade" | "downgrade";
            /** @description US cents for the rest of this period; 0 for a downgrade, and for what would be less than 50. */
            amount_cents: number;
            /** @description Credits that the rest of this period brings more. */
            tokens: number;
            /** @example business */
            plan: string;
            /**
             * Format: date-time
             * @description When the plan changes: an upgrade at once, a downgrade at the end of the period.
             */
            effective_at: string;
        };
        PlanChangeResponse: {
            /** @enum {string} */
            action: "upgrade" | "downgrade";
            /** @description US cents for the rest of this period; 0 for a downgrade, and for what would be less than 50. */
            amount_cents: number;
            /** @description Credits that the rest of this period brings more. */
            tokens: number;
            /** @example business */
            plan: string;
            /**
             * Format: date-time
             * @description When the plan changes: an upgrade at once, a downgrade at the end of the period.
             */
            effective_at: string;
            /** @description Whether the plan has changed. */
            succeeded: boolean;
            /** @description Whether a browser has to end the payment, with `client_secret`. */
            requires_action: boolean;
            client_secret: string | null;
            payment_intent_id: string | null;
            /** @description Of the provider's form, for browsers. No secret. */
            publishable_key: string;
            /** @description Whether it happens later: at the end of the period, or when the payment has come. */
            pending: boolean;
        };
        RenewResponse: {
            /** @example active */
            status: string;
            /** @example pro */
            plan: string;
            /**
             * Format: date-time
             * @description Until when it is paid.
             */
            expires_at: string | null;
            succeeded: boolean;
            /** @description Whether a browser has to end the payment, with `client_secret`. */
            requires_action: boolean;
            client_secret: string | null;
            payment_intent_id: string | null;
            /** @description Of the provider's form, for browsers. No secret. */
            publishable_key: string;
            /** @description Whether the payment is under way. */
            pending: boolean;
        };
        TopUpTier: {
            /** @example 10000 */
            tokens: number;
            /** @example 1000 */
            price_cents: number;
            label: string;
        };
        TopUpConfigResponse: {
            tiers: components["schemas"]["TopUpTier"][];
            custom_min_cents: number;
            custom_max_cents: number;
            /** @description Credits for a US cent. */
            token_rate: number;
            /** @description Of the provider's form, for browsers. No secret. */
            publishable_key: string;
        };
        TopUpRequest: {
            /**
             * @description Credits, by tens. An operator may sell less at once: `custom_max_cents` of `/v1/billing/topup-config`.
             * @example 10000
             */
            tokens: number;
            /**
             * @description What they cost, as the client showed it: a tenth of `tokens`.
             * @example 1000
             */
            price_cents: number;
            /**
             * @description Keeps the card for payments without the user.
             * @default false
             */
            save_payment_method?: boolean;
            /**
             * @description The saved card pays at once. Where its bank wants to see the user, `requires_action` says so, and a browser ends it.
             * @default false
             */
            off_session?: boolean;
        };
        TopUpResponse: {
            amount_cents: number;
            /** @description For the provider's form. It lets who has it pay this payment, so it belongs to the user alone. */
            client_secret: string;
            /** @example pi_3MtwBwLkdIwHu7ix28a3tqPa */
            payment_intent_id: string;
            /** @description Of the provider's form, for browsers. No secret. */
            publishable_key: string;
            /** @example usd */
            currency: string;
            /** @description Whether it is paid, and credited, already. */
            succeeded: boolean;
            /** @description Of the saved card: whether a browser has to end it. */
            requires_action: boolean;
        };
        TopUpConfirmRequest: {
            /** @example pi_3MtwBwLkdIwHu7ix28a3tqPa */
            payment_intent_id: string;
        };
        TopUpConfirmResponse: {
            /** @enum {string} */
            status: "pending" | "succeeded" | "failed" | "refunded";
            /** @description Credits that this payment has brought, whoever said so first. */
            credited: number;
            /** @description Credits that can be spent now. */
            balance: number;
            payment_intent_id: string;
        };
        AdjustWalletRequest: {
            /** @description Credits to give, or, below 0, to take. */
            amount: number;
            /** @description Why. The user reads it in their history, and it is kept for ever: nothing personal. */
            note: string;
            /**
             * @description Given as if they were paid for: developers earn a share when they are spent.
             * @default false
             */
            earns?: boolean;
        };
        AdjustWalletResponse: {
            amount: number;
            /** @description Credits that can be spent now. */
            balance: number;
            /** @description Credits that are promised to calls under way. */
            held: number;
            /** @description Credits that are owed, of which what was given has paid some. */
            debt: number;
            user_id: string;
            /** @description Of the entry in the history. */
            transaction_id: string;
        };
        WalletResponse: {
            /** @description Credits that can be spent now, without those that are held. */
            balance: number;
            /** @description How many credits count as a full wallet. */
            cap: number;
            /** @description Credits that the plan gives in a period. */
            included_tokens: number;
            /** @description Credits that are promised to calls under way. */
            held: number;
            /** @description Credits that are owed. While there are some, nothing new can be spent, and what comes in pays them first. */
            debt: number;
            /** @example credits */
            currency: string;
            /**
             * Format: date-time
             * @description When the wallet changed last; null where there is none yet.
             */
            updated_at: string | null;
            /** @example free */
            plan: string;
            /** @description Of the subscription. */
            status: string;
        };
        LedgerEntry: {
            /** @description Counts the entries of the wallet, from 1 and without gaps. */
            id: number;
            /** @description Credits; negative for what was spent. */
            amount: number;
            /** @description Credits of the wallet with this movement, those that are held included. */
            balance_after: number;
            /** @description Unique on the platform. */
            transaction_id: string;
            /** @example call_charge */
            reason: string;
            app_id: string | null;
            /** @description Of the app. */
            function: string | null;
            description: string | null;
            /** Format: date-time */
            created_at: string;
        };
        RevenueOfDay: {
            /** @description Credits: the developer's shares. */
            revenue: number;
            /** @example 2026-11-21 */
            day: string;
        };
        CallsOfFunction: {
            calls: number;
            /** @description Credits: the developer's shares. */
            revenue: number;
            function: string;
        };
        AppAnalyticsResponse: {
            days: number;
            total_calls: number;
            /** @description Credits: the developer's shares in these days, those that are not booked yet included. */
            total_revenue: number;
            unique_users: number;
            app_id: string;
            /** @description A row for each day (UTC), the oldest first. */
            revenue_chart: components["schemas"]["RevenueOfDay"][];
            /** @description Those that were called most, first; at most 10. */
            top_functions: components["schemas"]["CallsOfFunction"][];
        };
        OpenPayoutResponse: {
            id: number;
            /** @description Credits. */
            tokens: number;
            /** @enum {string} */
            status: "pending" | "approved";
            /** @description The id of the developer. */
            developer: string;
            nickname: string | null;
            email: string;
            /** @example 25.00 */
            usd: string;
            method: string;
            /** @description Of the developer. */
            notes: string | null;
            admin_note: string | null;
            /** Format: date-time */
            requested_at: string;
        };
        ApprovePayoutRequest: {
            /**
             * @description For the developer.
             * @default
             */
            note?: string;
        };
        PayoutResponse: {
            id: number;
            /** @description Credits. */
            amount_tokens: number;
            /** @enum {string} */
            status: "pending" | "approved" | "paid" | "rejected";
            developer_id: string;
            /**
             * @description As it was worth when it was asked for.
             * @example 25.00
             */
            amount_usd: string;
            /** @example manual */
            method: string;
            /** @description Of the developer. */
            notes: string | null;
            /** @description Of who decided. */
            admin_note: string | null;
            /** @description By which the payment is found; null unless it is paid. */
            reference: string | null;
            /** Format: date-time */
            requested_at: string;
            /**
             * Format: date-time
             * @description When it was paid or rejected; null before.
             */
            processed_at: string | null;
        };
        RejectPayoutRequest: {
            /**
             * @description For the developer.
             * @default
             */
            note?: string;
            /**
             * @description What it is now. `approved` has to be said, for a payout that cannot be paid: who looks at a list of before must not give back credits of which
             *     another is paying the money.
             * @default pending
             * @enum {string}
             */
            from?: "pending" | "approved";
        };
        PayPayoutRequest: {
            /** @description By which the payment is found, such as that of the bank. */
            reference: string;
        };
        EarningsResponse: {
            /** @description Credits: the developer's shares of all calls so far. */
            total_earnings: number;
            /** @description Credits: of those that earn by which these calls were paid, what is not the developer's. The platform's fee of reported actions is not in it. */
            total_platform_share: number;
            /** @description Credits that are earned and neither paid out nor approved to be. */
            pending_payout: number;
            /** @description Credits that were paid out. */
            paid_out: number;
            /** @description Credits that a payout can be asked for now, where the tier has payouts: what is asked for already is not among them. */
            available: number;
        };
        EarningsOfDay: {
            /** @description Credits. */
            total: number;
            /** @example 2026-11-21 */
            day: string;
        };
        AppEarningsResponse: {
            /** @description Credits: the developer's shares of all calls of the app so far. */
            total_earnings: number;
            /** @description The calls that the developer has a share of. */
            action_count: number;
            app_id: string;
            /** @description The days (UTC) on which something was earned, the oldest first, as far back as the tier's analytics go. */
            by_period: components["schemas"]["EarningsOfDay"][];
        };
        PayoutRequestCreate: {
            /** @description The user who calls, or for whom a trusted backend does; anybody else is refused. */
            user_id?: string;
            /**
             * @description Credits; ten of them are a US cent.
             * @example 25000
             */
            amount_tokens?: number | null;
            /**
             * @description The same as `amount_tokens`.
             * @example 25000
             */
            amount?: number | null;
            /** @description How you want to be paid. Default: `manual`, as agreed with those who run the platform. */
            payout_method?: string | null;
            /** @description For who pays. */
            notes?: string | null;
        };
        AppSecret: {
            /**
             * Format: date-time
             * @description When it was set; null when it is not.
             */
            updated_at: string | null;
            name: string;
            description: string;
            is_set: boolean;
        };
        SecretValue: {
            /** @description Not empty; the app declares how many bytes of UTF-8 it may have. */
            value: string;
        };
        SecretSetResponse: {
            name: string;
            is_set: boolean;
        };
        SecretDeletedResponse: {
            /** @description False when there was none. */
            was_set: boolean;
        };
        AppLogLine: {
            /** Format: date-time */
            at: string;
            /** @enum {string} */
            level: "info" | "warning" | "error";
            id: string;
            message: string;
            /** @description What was run: `function`, `webhook`, …. */
            kind: string;
            /** @description Its name, or the path of the webhook. */
            handler: string;
            request_id: string | null;
            user_id: string | null;
        };
        AppLogsResponse: {
            /** @description The oldest first. */
            items: components["schemas"]["AppLogLine"][];
            /** @description Where to go on; null while the app has logged nothing. */
            next: string | null;
        };
        WebhookDelivery: {
            /**
             * @description `draft`: it came for the app while that was not published, and is handled only while it is not.
             * @enum {string}
             */
            channel: "live" | "draft";
            /** @enum {string} */
            status: "pending" | "running" | "succeeded" | "dead";
            attempts: number;
            /** @description What the last try answered; null before the first. */
            status_code: number | null;
            /** Format: date-time */
            received_at: string;
            /**
             * Format: date-time
             * @description Null when there will be none.
             */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @description Null before it is `succeeded` or `dead`.
             */
            finished_at: string | null;
            delivery_id: string;
            app_id: string;
            /** @description Without slashes at its ends. */
            path: string;
            method: string;
            /** @description Why the last try failed; null when it did not. */
            error: string | null;
        };
        WebhookDeliveriesResponse: {
            /** @description The newest first. */
            items: components["schemas"]["WebhookDelivery"][];
            /** @description For the next page; null on the last one. */
            cursor: string | null;
        };
        WebhookDeliveryDetail: {
            /**
             * @description `draft`: it came for the app while that was not published, and is handled only while it is not.
             * @enum {string}
             */
            channel: "live" | "draft";
            /** @enum {string} */
            status: "pending" | "running" | "succeeded" | "dead";
            attempts: number;
            /** @description What the last try answered; null before the first. */
            status_code: number | null;
            /** Format: date-time */
            received_at: string;
            /**
             * Format: date-time
             * @description Null when there will be none.
             */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @description Null before it is `succeeded` or `dead`.
             */
            finished_at: string | null;
            /** @description Of the whole body. */
            body_bytes: number;
            /** @description Names in lower case; without those that are no extension's to see. */
            headers: {
                [key: string]: string;
            };
            query_params: {
                [key: string]: string;
            };
            /** @description The first 64 KiB. */
            body_base64: string;
            delivery_id: string;
            app_id: string;
            /** @description Without slashes at its ends. */
            path: string;
            method: string;
            /** @description Why the last try failed; null when it did not. */
            error: string | null;
        };
        ScheduleRunUsers: {
            /** @description As many as were found until now. */
            total: number;
            succeeded: number;
            failed: number;
            /** @description For whom the app may not act, such as those who have removed it. */
            skipped: number;
        };
        ScheduleRun: {
            /** @enum {string} */
            trigger: "schedule" | "manual";
            /**
             * Format: date-time
             * @description By the schedule; of a run that was asked for, when that was.
             */
            scheduled_for: string;
            /** @enum {string} */
            status: "pending" | "running" | "succeeded" | "failed" | "skipped";
            attempts: number;
            /**
             * Format: date-time
             * @description Null before it began.
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @description Null before it was finished.
             */
            finished_at: string | null;
            /** @description Of the last attempt; null where there was none, or one for each user. */
            duration_ms: number | null;
            /** @description Null unless it is a run for each user. */
            users: components["schemas"]["ScheduleRunUsers"] | null;
            run_id: string;
            /** @description Why the last attempt failed; null when it did not. */
            error: string | null;
        };
        AppSchedule: {
            /**
             * Format: date-time
             * @description Null while the app is suspended, and when there will be none.
             */
            next_run_at: string | null;
            /** @description The last five, the newest first. */
            recent_runs: components["schemas"]["ScheduleRun"][];
            name: string;
            /** @description Five fields, UTC. */
            cron: string;
            /** @description The collection whose users each get a run of their own; null for one run. */
            for_each_user: string | null;
        };
        AppSchedulesResponse: {
            /** @description By name. */
            items: components["schemas"]["AppSchedule"][];
        };
        EventDelivery: {
            /** @enum {string} */
            status: "pending" | "running" | "succeeded" | "dead";
            attempts: number;
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * Format: date-time
             * @description Null when there will be none.
             */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @description Null before it is `succeeded` or `dead`.
             */
            finished_at: string | null;
            event_id: string;
            app_id: string;
            /** @example notes.note_added */
            type: string;
            /** @description The app that has published it, or `platform`. */
            source: string;
            /** @description Whose event it is; null when it is nobody's. */
            user_id: string | null;
            /** @description Why the last try failed; null when it did not. */
            error: string | null;
        };
        EventDeliveriesResponse: {
            /** @description The newest first. */
            items: components["schemas"]["EventDelivery"][];
            /** @description For the next page; null on the last one. */
            cursor: string | null;
        };
        PricesSyncedResponse: {
            /** @description How many apps got another price. */
            synced: number;
        };
        NewInVersion: {
            /** @description Scopes of its users. */
            scopes: string[];
            /** @description Where it may send requests, `*` for everywhere, and where its webhooks may redirect to. */
            hosts: string[];
            /** @description What it is made of, such as `http` or `code`, and what it declares as such. */
            capabilities: string[];
            /** @description What it handles. */
            events: string[];
            /** @description Methods and paths of its webhooks whose handlers are code or read something: those that are new, or that answer by themselves now. */
            webhooks: string[];
            /** @description Its schedules, where they are its first whose handlers are code or read something. */
            schedules: string[];
            /** @description Those that ask less of whoever calls: another action type, of which fewer are confirmed, or a scope less. */
            functions: string[];
            /** @description Null where it keeps its name. */
            name: string | null;
            /** @description Whether it has another icon. */
            icon: boolean;
        };
        PendingAppResponse: {
            /** @description What is new in the version beside the one that is served; null for an app that is not in the marketplace yet. */
            waits_for: components["schemas"]["NewInVersion"] | null;
            /** @description Where the version may send requests, `*` for everywhere. Null: anywhere, for one from before there were such lists, or without a document. */
            hosts: string[] | null;
            /** @description What of its context (`ctx`) the version may use. Null: everything, for one from before there were such lists, or without a document. */
            capabilities: string[] | null;
            /**
             * @description How users will pay for the app.
             * @enum {string}
             */
            pricing_model: "free" | "per_action" | "subscription";
            /** @description Percent of a price that the developer gets. */
            revenue_split_dev: number;
            app_id: string;
            name: string;
            /** @description The same as `name`. */
            display_name: string;
            developer_id: string;
            short_description: string;
            description: string;
            category: string;
            git_url: string | null;
            /** Format: date-time */
            submitted_at: string;
            submitted_version: string;
            /** @description Of what would be published: the content of the version, with the name, the icon and the prices of the app. Approving and refusing name it. */
            sha256: string;
            /** @description What is served meanwhile, of an app that is in the marketplace; else null. */
            served_version: string | null;
            /** @description Prices in credits: `tool_prices` by function, or `monthly_price`. */
            pricing_config: {
                [key: string]: unknown;
            } | null;
        };
        PendingModule: {
            name: string;
            /** @description Of its source, as UTF-8. */
            bytes: number;
            /** @description Of its source. */
            sha256: string;
        };
        PendingContentResponse: {
            /** @description What is new in the version beside the one that is served; null for an app that is not in the marketplace yet. */
            waits_for: components["schemas"]["NewInVersion"] | null;
            /** @description Where the version may send requests, `*` for everywhere. Null: anywhere, for one from before there were such lists, or without a document. */
            hosts: string[] | null;
            /** @description What of its context (`ctx`) the version may use. Null: everything, for one from before there were such lists, or without a document. */
            capabilities: string[] | null;
            /**
             * @description How users will pay for the app.
             * @enum {string}
             */
            pricing_model: "free" | "per_action" | "subscription";
            /** @description Percent of a price that the developer gets. */
            revenue_split_dev: number;
            /** @description The document, with its code; of the code without source maps. Null for a version whose manifest came from a pipeline outside. */
            document: {
                [key: string]: unknown;
            } | null;
            /** @description The functions, where there is no document. */
            manifest: {
                [key: string]: unknown;
            } | null;
            /** @description What it asks its users for. */
            requested_scopes: string[];
            /** @description The icon that the app has by now. */
            icon_svg: string | null;
            /** @description The modules of the code. */
            modules: components["schemas"]["PendingModule"][];
            app_id: string;
            name: string;
            /** @description The same as `name`. */
            display_name: string;
            developer_id: string;
            short_description: string;
            description: string;
            category: string;
            git_url: string | null;
            /** Format: date-time */
            submitted_at: string;
            submitted_version: string;
            /** @description Of what would be published: the content of the version, with the name, the icon and the prices of the app. Approving and refusing name it. */
            sha256: string;
            /** @description What is served meanwhile, of an app that is in the marketplace; else null. */
            served_version: string | null;
            /** @description Prices in credits: `tool_prices` by function, or `monthly_price`. */
            pricing_config: {
                [key: string]: unknown;
            } | null;
        };
        ApproveAppRequest: {
            /**
             * @description The version that was looked at: 409 when it is another by now.
             * @example 1.2.0
             */
            version?: string;
            /**
             * @description What was looked at: 409 when it is something else by now. Needed, with `version`, for a version of an app that is in the marketplace, and
             *     for an app of which something else was in review before.
             */
            sha256?: string;
        };
        ApproveAppResponse: {
            /** @enum {string} */
            status: "draft" | "pending_review" | "active" | "suspended";
            /** @description What runs from now on: the version that was submitted. */
            version: string;
            app_id: string;
        };
        RejectAppRequest: {
            /**
             * @description The version that was looked at: 409 when it is another by now.
             * @example 1.2.0
             */
            version?: string;
            /**
             * @description What was looked at: 409 when it is something else by now. Needed, with `version`, for a version of an app that is in the marketplace, and
             *     for an app of which something else was in review before.
             */
            sha256?: string;
            /** @description For the developer. */
            reason: string;
        };
        RejectAppResponse: {
            /** @enum {string} */
            status: "draft" | "pending_review" | "active" | "suspended";
            reject_reason: string;
            app_id: string;
        };
        SetAppStatusRequest: {
            /**
             * @description The version that was looked at: 409 when it is another by now.
             * @example 1.2.0
             */
            version?: string;
            /**
             * @description What was looked at: 409 when it is something else by now. Needed, with `version`, for a version of an app that is in the marketplace, and
             *     for an app of which something else was in review before.
             */
            sha256?: string;
            /** @enum {string} */
            status: "active" | "suspended" | "draft";
        };
        AppStatusResponse: {
            /** @enum {string} */
            status: "draft" | "pending_review" | "active" | "suspended";
            app_id: string;
        };
        DeleteAnyAppRequest: {
            /** @description The `app_id`, to show that this app is meant. */
            confirm_name: string;
            /**
             * @description Deletes it whatever its status is; without it only a draft or a suspended app is.
             * @default false
             */
            force?: boolean;
        };
        AppDeletedResponse: {
            /** @description How many users had it installed. */
            installs_purged: number;
            app_id: string;
            /** @example deleted */
            status: string;
        };
        AppCheck: {
            /** @example successful_deploy */
            check: string;
            ok: boolean;
            /** @description Whether the app cannot be submitted without it; the others are advice. */
            required: boolean;
            /** @description What is asked for. */
            message: string;
        };
        AppSubmitResponse: {
            /** @enum {string} */
            status: "draft" | "pending_review" | "active" | "suspended";
            app_id: string;
            /** Format: date-time */
            submitted_at: string;
            /** @description What will be reviewed: a later deploy does not change it. */
            version: string;
            checks: components["schemas"]["AppCheck"][];
        };
        WaitingVersion: {
            /** @description What is new in it. */
            waits_for: components["schemas"]["NewInVersion"];
            version: string;
            /** Format: date-time */
            since: string;
        };
        AppWebhook: {
            /**
             * @description `draft` until the app is published.
             * @enum {string}
             */
            channel: "live" | "draft";
            /** @description Without slashes at its ends. */
            path: string;
            /** @description One of those that it takes. */
            method: string;
            /** @example https://panel.example.com/v1/ext/invoices/draft/webhook/payments */
            url: string;
        };
        ListedAppResponse: {
            /** @enum {string} */
            status: "draft" | "pending_review" | "active" | "suspended";
            /** @enum {string} */
            pricing_model: "free" | "per_action" | "subscription";
            /** @description Percent of a price that the developer gets. */
            revenue_split_dev: number;
            /** @description Waits for a review, while `version` is served; null for none. */
            waiting: components["schemas"]["WaitingVersion"] | null;
            /** @description Of the version that runs. Those of an app that is not published are at other addresses than when it is. */
            webhooks: components["schemas"]["AppWebhook"][];
            app_id: string;
            name: string;
            /** @description The same as `name`. */
            display_name: string;
            developer_id: string;
            short_description: string;
            description: string;
            long_description: string;
            category: string;
            tags: string[];
            icon: string | null;
            git_url: string | null;
            homepage: string | null;
            license: string | null;
            pricing_config: {
                [key: string]: unknown;
            } | null;
            /** @description The version that runs; null before the first deploy has succeeded. */
            version: string | null;
            /** @description Why the last review refused it. */
            reject_reason: string | null;
            /** Format: date-time */
            submitted_at: string | null;
            /** @description What the last review looked at, or looks at. */
            submitted_version: string | null;
            /**
             * Format: date-time
             * @description Since when it is in the marketplace.
             */
            published_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        AppCreateRequest: {
            /** @description The user who calls, or for whom a trusted backend does; anybody else is refused. */
            user_id?: string;
            /** @description The same as `name`, which it wins over where both are given. */
            display_name?: string | null;
            name?: string | null;
            short_description?: string | null;
            description?: string | null;
            long_description?: string | null;
            category?: string | null;
            /**
             * @example [
             *       "invoices",
             *       "pdf"
             *     ]
             */
            tags?: string[] | null;
            /** @example 🧾 */
            icon?: string | null;
            /** @example https://git.example.com/ada/invoices.git */
            git_url?: string | null;
            /**
             * @description Where people read more about it.
             * @example https://ada.example.com
             */
            homepage?: string | null;
            /** @example MIT */
            license?: string | null;
            /** @enum {string|null} */
            pricing_model?: "free" | "per_action" | "subscription" | null;
            /**
             * @example {
             *       "tool_prices": {
             *         "create_invoice": 20
             *       }
             *     }
             */
            pricing_config?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description For good: it cannot be changed.
             * @example invoices
             */
            app_id: string;
        };
        AppResponse: {
            /** @enum {string} */
            status: "draft" | "pending_review" | "active" | "suspended";
            /** @enum {string} */
            pricing_model: "free" | "per_action" | "subscription";
            /** @description Percent of a price that the developer gets. */
            revenue_split_dev: number;
            app_id: string;
            name: string;
            /** @description The same as `name`. */
            display_name: string;
            developer_id: string;
            short_description: string;
            description: string;
            long_description: string;
            category: string;
            tags: string[];
            icon: string | null;
            git_url: string | null;
            homepage: string | null;
            license: string | null;
            pricing_config: {
                [key: string]: unknown;
            } | null;
            /** @description The version that runs; null before the first deploy has succeeded. */
            version: string | null;
            /** @description Why the last review refused it. */
            reject_reason: string | null;
            /** Format: date-time */
            submitted_at: string | null;
            /** @description What the last review looked at, or looks at. */
            submitted_version: string | null;
            /**
             * Format: date-time
             * @description Since when it is in the marketplace.
             */
            published_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        AppTool: {
            /** @enum {string} */
            action_type: "read" | "write" | "destructive";
            name: string;
            description: string;
            params_schema: {
                [key: string]: unknown;
            };
            return_schema: {
                [key: string]: unknown;
            } | null;
            required_scopes: string[];
        };
        AppDetailResponse: {
            /** @enum {string} */
            status: "draft" | "pending_review" | "active" | "suspended";
            /** @enum {string} */
            pricing_model: "free" | "per_action" | "subscription";
            /** @description Percent of a price that the developer gets. */
            revenue_split_dev: number;
            /** @description Waits for a review, while `version` is served; null for none. */
            waiting: components["schemas"]["WaitingVersion"] | null;
            /** @description Of the version that runs. Those of an app that is not published are at other addresses than when it is. */
            webhooks: components["schemas"]["AppWebhook"][];
            app_id: string;
            name: string;
            /** @description The same as `name`. */
            display_name: string;
            developer_id: string;
            short_description: string;
            description: string;
            long_description: string;
            category: string;
            tags: string[];
            icon: string | null;
            git_url: string | null;
            homepage: string | null;
            license: string | null;
            pricing_config: {
                [key: string]: unknown;
            } | null;
            /** @description The version that runs; null before the first deploy has succeeded. */
            version: string | null;
            /** @description Why the last review refused it. */
            reject_reason: string | null;
            /** Format: date-time */
            submitted_at: string | null;
            /** @description What the last review looked at, or looks at. */
            submitted_version: string | null;
            /**
             * Format: date-time
             * @description Since when it is in the marketplace.
             */
            published_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description The functions of the version that runs. */
            tools_json: components["schemas"]["AppTool"][];
            /** @description The whole manifest of the version that runs. */
            manifest_json: {
                [key: string]: unknown;
            } | null;
            /** @description Why nothing of an app that is not published runs, and what to do about it; null where it runs, or has no version that could. */
            stopped_reason: string | null;
        };
        AppUpdateRequest: {
            /** @description The user who calls, or for whom a trusted backend does; anybody else is refused. */
            user_id?: string;
            /** @description The same as `name`, which it wins over where both are given. */
            display_name?: string | null;
            name?: string | null;
            short_description?: string | null;
            description?: string | null;
            long_description?: string | null;
            category?: string | null;
            /**
             * @example [
             *       "invoices",
             *       "pdf"
             *     ]
             */
            tags?: string[] | null;
            /** @example 🧾 */
            icon?: string | null;
            /** @example https://git.example.com/ada/invoices.git */
            git_url?: string | null;
            /**
             * @description Where people read more about it.
             * @example https://ada.example.com
             */
            homepage?: string | null;
            /** @example MIT */
            license?: string | null;
            /** @enum {string|null} */
            pricing_model?: "free" | "per_action" | "subscription" | null;
            /**
             * @example {
             *       "tool_prices": {
             *         "create_invoice": 20
             *       }
             *     }
             */
            pricing_config?: {
                [key: string]: unknown;
            } | null;
            /** @description Percent of a price that the developer gets: at most what the tier allows, or what the app has had before. */
            revenue_split_dev?: number | null;
        };
        AppDeleteRequest: {
            /** @description The user who calls, or for whom a trusted backend does; anybody else is refused. */
            user_id?: string;
            /** @description The `app_id`, to show that this app is meant. */
            confirm_name: string;
        };
        CreateDeployRequest: {
            /** @description The user who calls, or for whom a trusted backend does; anybody else is refused. */
            user_id?: string;
            /**
             * @description What to deploy. May be left out beside `ir_dict`, which says it too.
             * @example 1.2.0
             */
            version?: string;
            /** @description What is new, for whoever looks through the deploys. */
            changelog?: string;
            /** @description The app document; without it the stored one of `version` is deployed. */
            ir_dict?: {
                [key: string]: unknown;
            };
            /**
             * @description The commit that a pipeline outside has deployed.
             * @example 9fceb02
             */
            commit_sha?: string;
            /** @enum {string} */
            status?: "success" | "warning" | "failed";
            error_message?: string;
        };
        DeployStep: {
            /**
             * @description `accepted`; `validated`: the document is good; `held`: the Registry has the manifest; `served`: the gateway runs the version;
             *     `released`: sessions find it in the Registry.
             * @enum {string}
             */
            name: "accepted" | "validated" | "held" | "served" | "released";
            /**
             * Format: date-time
             * @description Null while it is still to come.
             */
            at: string | null;
        };
        DeployResponse: {
            /** @description Counts the deploys of the app, from 1. */
            number: number;
            /** @enum {string} */
            status: "pending" | "validating" | "syncing" | "waiting" | "success" | "warning" | "failed" | "superseded";
            /** @description What is new in the version, for which it waits, or has waited, for a review; null where it needs none. */
            waits_for: components["schemas"]["NewInVersion"] | null;
            /** @description How often it was tried so far, by those attempts that did not get through. */
            failed_attempts: number;
            /** @description What is done, in the order in which it is. */
            steps: components["schemas"]["DeployStep"][];
            deploy_id: string;
            app_id: string;
            /** @description Null where a pipeline outside did not say. */
            version: string | null;
            changelog: string;
            /** Format: date-time */
            created_at: string;
            commit_sha: string | null;
            /** @description Why it failed, or why the last attempt did and another one follows; empty otherwise. */
            error_message: string;
            /**
             * Format: date-time
             * @description When it ended, whatever the outcome; null while it is under way.
             */
            deployed_at: string | null;
            warnings: string[];
        };
        SyncManifestRequest: {
            /** @description Sanitised before it is stored. At most 64 KiB. */
            icon_svg?: string | null;
            /** @description The manifest of a version, as an object or as its text. At most 1 MiB without the spaces between its parts. */
            manifest_json?: {
                [key: string]: unknown;
            } | string;
            /** @description Whether every user has the app and cannot remove it. */
            system?: boolean | null;
        };
        SyncManifestResponse: {
            /** @description Whether anything is another than before. */
            updated: boolean;
        };
        GiveTierRequest: {
            /** @description The developer. */
            user_id: string;
            /** @enum {string} */
            tier: "explorer" | "indie" | "studio" | "partner";
        };
        GiveTierResponse: {
            /** @enum {string} */
            tier: "explorer" | "indie" | "studio" | "partner";
            user_id: string;
            /** @description The administrator, or the name of the trusted backend. */
            comped_by: string;
        };
        DeveloperTierTerms: {
            /** @enum {string} */
            tier: "explorer" | "indie" | "studio" | "partner";
            /** @description Percent of the price of a call that the developer gets. */
            revenue_split_dev: number;
            revenue_split_platform: number;
            /** @description Null is no limit. */
            max_apps: number | null;
            /** @description How many days analytics go back. */
            analytics_days: number;
            /** @description Of all apps of the developer together, whoever calls them. Null is no limit. */
            requests_per_minute: number | null;
            /** @description Credits. */
            tokens_per_year: number;
            /** @description Whether earnings are paid out, and not only kept. */
            payouts: boolean;
            /** @description Whether only administrators give it. */
            admin_only: boolean;
        };
        DeveloperConfigResponse: {
            /** @description Credits. */
            min_payout: number;
            /** @description From the lowest. */
            tiers: components["schemas"]["DeveloperTierTerms"][];
            /** @description What a credit is worth in USD. */
            token_usd: number;
        };
        DeveloperRegisterRequest: {
            /** @description The user who calls, or for whom a trusted backend does; anybody else is refused. */
            user_id?: string;
            /** @description What users see; the nickname unless told. */
            display_name?: string | null;
            /** @description The handle; 3 to 30 characters of a-z, 0-9, `_` and `-`. Unless told, the one that the user has, or one made of `display_name`. */
            nickname?: string | null;
            /**
             * @default explorer
             * @enum {string|null}
             */
            tier?: "explorer" | "indie" | "studio" | "partner" | null;
            /** @example https://ada.example.com */
            website?: string | null;
            description?: string | null;
        };
        DeveloperRegistrationResponse: {
            /** @enum {string} */
            tier: "explorer" | "indie" | "studio" | "partner";
            /**
             * Format: date-time
             * @description When the year ends that was paid; null for a tier that is free.
             */
            tier_expires_at: string | null;
            nickname: string;
            /** Format: date-time */
            registered_at: string;
        };
        DeveloperProfileResponse: {
            /** @enum {string} */
            tier: "explorer" | "indie" | "studio" | "partner";
            apps_count: number;
            /** @description How many apps the tier allows; null is no limit. */
            max_apps: number | null;
            /** @description Credits: the developer's shares of all calls so far. */
            total_earnings: number;
            platform_id: string;
            email: string;
            nickname: string | null;
            display_name: string;
            website: string | null;
            description: string;
            /**
             * Format: date-time
             * @description When the year ends that was paid, and the next one is paid; null for a tier that is free, or was given.
             */
            tier_expires_at: string | null;
            /** Format: date-time */
            registered_at: string;
        };
        UpdateTierRequest: {
            /** @description The user who calls, or for whom a trusted backend does; anybody else is refused. */
            user_id?: string;
            /** @enum {string} */
            tier: "explorer" | "indie" | "studio" | "partner";
        };
        UpdateTierResponse: {
            /** @enum {string} */
            tier: "explorer" | "indie" | "studio" | "partner";
            /**
             * Format: date-time
             * @description When the year ends that was paid, and the next one is paid; null: it does not expire.
             */
            expires_at: string | null;
        };
        ActionCreateRequest: {
            /**
             * @description Unique on the platform: the same one again changes nothing.
             * @example act_01h455vb4pex5vsknk084sn02q
             */
            trace_id: string;
            /** @example usr_01h455vb4pex5vsknk084sn02q */
            user_id: string;
            /**
             * @description Of the user. `default` is taken for it, too.
             * @default default
             */
            tenant_id?: string;
            /** @example invoices */
            app_id: string;
            tool_name: string;
            /** @enum {string} */
            action_type: "read" | "write" | "destructive";
            /**
             * @description `success` and `completed` count as successes. What is none costs nothing, whatever the prices say, and is recorded so.
             * @enum {string}
             */
            status: "success" | "completed" | "error" | "failed" | "timeout" | "cancelled" | "rejected";
            /** @example act_01h455vb4pex5vsknk084sn02q */
            chain_id?: string | null;
            /** @example act_01h455vb4pex5vsknk084sn02q */
            parent_task_id?: string | null;
            intent_type?: string | null;
            message_preview?: string | null;
            result_preview?: string | null;
            error?: string | null;
            duration_ms?: number | null;
            /** @default 0 */
            tokens_used?: number;
            /** @default 0 */
            heartbeat_count?: number;
            /**
             * @description Credits that the user is charged, once: `extension_price` and `platform_fee` together. What they do not have becomes a debt.
             * @default 0
             */
            action_price?: number;
            /**
             * @description Credits for the function. Of these the developer of the app has a share, unless it is the user.
             * @default 0
             */
            extension_price?: number;
            /**
             * @description Credits for the platform, such as for a model.
             * @default 0
             */
            platform_fee?: number;
            worker_id?: string | null;
            llm_provider?: string | null;
            llm_model?: string | null;
            /** @description What a model did for it, one after the other, as the backend tells it. */
            llm_steps?: {
                [key: string]: unknown;
            }[] | null;
            /** @default 0 */
            llm_total_calls?: number;
            /**
             * @description Counts for `ai_tokens` of the user's plan; where it is 0, `tokens_used` does.
             * @default 0
             */
            llm_total_tokens?: number;
            /** Format: date-time */
            completed_at?: string | null;
        };
        CreatedAction: {
            id: string;
            trace_id: string;
        };
        ActionResponse: {
            /**
             * @description Null when the app has no such function.
             * @enum {string|null}
             */
            action_type: "read" | "write" | "destructive" | null;
            duration_ms: number | null;
            tokens_used: number;
            /** @description Credits that it cost: of the developer and the platform together. */
            action_price: number;
            extension_price: number;
            platform_fee: number;
            id: string;
            trace_id: string;
            user_id: string;
            tenant_id: string;
            app_id: string;
            function: string;
            /** @description The same as `function`. */
            tool_name: string;
            /** @example success */
            status: string;
            /** @description For a program; null on success. */
            error_code: string | null;
            /** @description For a person; null on success. */
            error: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            completed_at: string | null;
        };
        ActionPageResponse: {
            /** @description How many match; counted up to 1000 beyond this page. */
            total: number;
            page: number;
            per_page: number;
            /** @description The newest first. */
            items: components["schemas"]["ActionResponse"][];
            /** @description False when there are more than `total`. */
            total_is_exact: boolean;
        };
        AppActionCount: {
            actions: number;
            tokens_used: number;
            credits: number;
            app_id: string;
        };
        ActionStatsResponse: {
            actions: number;
            tokens_used: number;
            credits: number;
            /** @description How many calls the plan and the role allow in a period of the plan, the smaller number; 0: any number. */
            limit: number;
            /** @description The most used first, 100 at most. */
            by_app: components["schemas"]["AppActionCount"][];
            /** Format: date-time */
            since: string;
        };
        FunctionActionStats: {
            total_actions: number;
            errors: number;
            avg_duration_ms: number | null;
            function: string;
        };
        ExtensionActionStats: {
            total_actions: number;
            active_users: number;
            /** @description From 0 to 1; null when there were no actions. */
            success_rate: number | null;
            /** @description Null when no duration is known. */
            avg_duration_ms: number | null;
            /** @description The most used first, 100 at most. */
            by_function: components["schemas"]["FunctionActionStats"][];
            app_id: string;
            /** Format: date-time */
            since: string;
        };
        AppActionStats: {
            total_actions: number;
            active_users: number;
            /** @description From 0 to 1; null when there were no actions. */
            success_rate: number | null;
            /** @description Null when no duration is known. */
            avg_duration_ms: number | null;
            app_id: string;
            /** Format: date-time */
            since: string;
        };
        ActionDetailResponse: {
            /**
             * @description Null when the app has no such function.
             * @enum {string|null}
             */
            action_type: "read" | "write" | "destructive" | null;
            duration_ms: number | null;
            tokens_used: number;
            /** @description Credits that it cost: of the developer and the platform together. */
            action_price: number;
            extension_price: number;
            platform_fee: number;
            /** @description What else is known of it: how it was called, of which chain it is a part, and what a model did for it. */
            details: {
                [key: string]: unknown;
            };
            id: string;
            trace_id: string;
            user_id: string;
            tenant_id: string;
            app_id: string;
            function: string;
            /** @description The same as `function`. */
            tool_name: string;
            /** @example success */
            status: string;
            /** @description For a program; null on success. */
            error_code: string | null;
            /** @description For a person; null on success. */
            error: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            completed_at: string | null;
        };
        CallRequest: {
            /**
             * @description The platform_id of the acting user: of whoever calls, but for trusted backends.
             * @example usr_01h455vb4pex5vsknk084sn02q
             */
            user_id: string;
            /**
             * @description The tenant of the acting user. `default` is taken for it, too.
             * @default default
             */
            tenant_id?: string;
            /** @example create_note */
            function: string;
            /**
             * @description Checked against the `params_schema` of the function.
             * @default {}
             */
            params?: {
                [key: string]: unknown;
            } | null;
        };
        CallResponse: {
            /** @enum {string} */
            status: "success" | "error";
            /** @description Whatever the function returns. */
            data: Record<string, never> | null;
            /** @description A UI node to render, if any. */
            ui: Record<string, never> | null;
            /** @description One line, to be shown. */
            summary: string | null;
            /** @description What went wrong, for a person; null on success. */
            error: string | null;
            /**
             * @description What went wrong, for a program; null on success.
             * @example VALIDATION_MISSING_FIELD
             */
            error_code: string | null;
            /** @description Whether the same call may succeed later. */
            retryable: boolean;
        };
        BatchCall: {
            /** @example create_note */
            function: string;
            /** @default {} */
            params?: {
                [key: string]: unknown;
            } | null;
        };
        BatchCallRequest: {
            /**
             * @description The platform_id of the acting user: of whoever calls, but for trusted backends.
             * @example usr_01h455vb4pex5vsknk084sn02q
             */
            user_id: string;
            /**
             * @description The tenant of the acting user. `default` is taken for it, too.
             * @default default
             */
            tenant_id?: string;
            calls: components["schemas"]["BatchCall"][];
        };
        ExtensionFunction: {
            /** @enum {string} */
            action_type: "read" | "write" | "destructive";
            /** @description JSON Schema 2020-12 of the params. */
            params_schema: {
                [key: string]: unknown;
            };
            /** @description Credits for a call by this user; 0 for nothing. */
            price: number;
            name: string;
            description: string;
        };
        InstalledExtension: {
            /** @description Credits for a month in which this user calls it; null unless it is paid for by the month. */
            monthly_price: number | null;
            /** @description Of what it costs this user by now; null for nothing. */
            price_version: number | null;
            /** @description The price that the user agreed to: they pay no more. Null for none. */
            agreed_price_version: number | null;
            /**
             * @description Why the user cannot call it, null where they can: they switched it off (`disabled`), the tenant closed it to them (`restricted`), it is
             *     `suspended` or `not_published`, an API key is gone that installed it (`not_agreed`) or that deployed it (`key_gone`), so is an app that
             *     deployed it (`app_gone`), or the user may not sign in (`user_inactive`).
             * @enum {string|null}
             */
            blocked_by: "disabled" | "restricted" | "suspended" | "not_published" | "not_agreed" | "key_gone" | "app_gone" | "user_inactive" | null;
            app_id: string;
            name: string;
            description: string;
            /** @description Of the version that runs: what the user may call. None while `blocked_by` says why. */
            functions: components["schemas"]["ExtensionFunction"][];
            /** @description The version that runs; null without one. */
            version: string | null;
            is_installed: boolean;
            /** @description Whether the user switched it off. */
            is_disabled: boolean;
            /** @description Whether it was installed by an API key that is gone by now, and does nothing for the user until they install it again. */
            is_install_key_gone: boolean;
            /** @description What the version asks for that runs now. */
            requested_scopes: string[];
            /** @description What the user agreed to by installing the app, as far as it still asks for it; the app acts for them with no more. */
            granted_scopes: string[];
            /** @description What the app asks for and the user did not agree to yet: installing it again agrees. */
            missing_scopes: string[];
        };
        DisableBody: {
            /** @example invoices */
            app_id: string;
        };
        MyDisabledExtension: {
            app_id: string;
            is_disabled: boolean;
        };
        UserExtension: {
            /**
             * @description `auto_system` for what everybody has, otherwise `user`.
             * @enum {string}
             */
            source: "auto_system" | "user";
            /**
             * @description Why the user cannot call it, null where they can: as in `GET /v1/me/extensions`.
             * @enum {string|null}
             */
            blocked_by: "disabled" | "restricted" | "suspended" | "not_published" | "not_agreed" | "key_gone" | "app_gone" | "user_inactive" | null;
            app_id: string;
            name: string;
            category: string;
            /** @description Whether the rules of the tenant let the user call it. */
            has_access: boolean;
            /** @description False when it is switched off for the user. */
            enabled: boolean;
            system: boolean;
        };
        UserExtensionsResponse: {
            extensions: components["schemas"]["UserExtension"][];
        };
        DisabledExtensionResponse: {
            app_id: string;
            disabled: boolean;
        };
        ResetConversationResponse: {
            /** @description How much of the conversation was kept here and is gone now; 0 when there was nothing. */
            keys_deleted: number;
            /** @example reset */
            status: string;
            /** @description Whether a session of a conversation was running and was ended. */
            session_restarted: boolean;
        };
        WithheldAppsRequest: {
            user_id: string;
            app_ids: string[];
        };
        WithheldAppsResponse: {
            app_ids: string[];
        };
        InstallRequest: {
            /** @description The `version` that was shown. */
            version?: string;
            /** @description The `price_version` that was shown, null for nothing that costs: 409 `extension.price_changed` where it is another one by now. Without it only a first install agrees to a price. */
            price_version?: number | null;
            /** @description The `requested_scopes` that were shown, in any order. */
            scopes?: string[];
        };
        AppCost: {
            /** @description Agree to it by installing the app with this. */
            price_version: number;
            /** @enum {string} */
            pricing_model: "per_action" | "subscription";
            /** @description Credits for a call, by function; what is not named is free. */
            tool_prices: {
                [key: string]: number;
            };
            /** @description Credits for a month; null unless it is paid for by the month. */
            monthly_price: number | null;
        };
        InstallResult: {
            /** @description What the app costs by now; null for nothing. */
            price: components["schemas"]["AppCost"] | null;
            /** @description The price that the user agreed to, now or before: they pay no more. Null for none. */
            price_version: number | null;
            /** @description How many users have it now. */
            install_count: number;
            app_id: string;
            /** @description The version that runs; null for a part of the platform that has none yet. */
            version: string | null;
            installed: boolean;
            /**
             * Format: date-time
             * @description When the user got it; a repeated install does not change it.
             */
            installed_at: string;
            /** @example installed */
            status: string;
            /** @description What the version asks for that runs now. */
            requested_scopes: string[];
            /** @description What the user agreed to by installing the app, as far as it still asks for it; the app acts for them with no more. */
            granted_scopes: string[];
            /** @description What the app asks for and the user did not agree to yet: installing it again agrees. */
            missing_scopes: string[];
        };
        UninstallResult: {
            /** @description How many users have it now. */
            install_count: number;
            app_id: string;
            /** @description False. */
            installed: boolean;
            /** @example uninstalled */
            status: string;
            /**
             * Format: date-time
             * @description Null when the user never had it.
             */
            uninstalled_at: string | null;
            /**
             * Format: date-time
             * @description Until when what the app keeps for the user is there again if they install it; null where nothing is, or it is deleted at once.
             */
            kept_until: string | null;
        };
        NotificationResponse: {
            /** @enum {string} */
            channel: "in_app" | "email";
            /** @enum {string} */
            priority: "low" | "normal" | "high" | "urgent";
            id: string;
            app_id: string;
            message: string;
            subject: string | null;
            /** @description More than the message says, if anything. */
            body: string | null;
            /** Format: date-time */
            created_at: string;
        };
        NotificationsResponse: {
            /** @description The newest first. */
            items: components["schemas"]["NotificationResponse"][];
        };
        ConfirmationResponse: {
            /** @enum {string} */
            status: "pending" | "confirmed" | "cancelled" | "expired";
            /** @enum {string} */
            action_type: "read" | "write" | "destructive";
            /** @description Credits that the call cost when the user was asked. It is refused where it costs more by then. */
            price: number;
            /** @description What the function will be called with, exactly. */
            params: {
                [key: string]: unknown;
            };
            id: string;
            app_id: string;
            function: string;
            /** @description One line, to be shown. */
            summary: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string;
        };
        ActiveConfirmationsResponse: {
            /** @description The newest one. */
            confirmation: components["schemas"]["ConfirmationResponse"] | null;
            /** @description The newest first, 50 at most. */
            items: components["schemas"]["ConfirmationResponse"][];
        };
        ConfirmedResponse: {
            /** @enum {string} */
            status: "pending" | "confirmed" | "cancelled" | "expired";
            /** @enum {string} */
            action_type: "read" | "write" | "destructive";
            /** @description Credits that the call cost when the user was asked. It is refused where it costs more by then. */
            price: number;
            /** @description What the function will be called with, exactly. */
            params: {
                [key: string]: unknown;
            };
            id: string;
            app_id: string;
            function: string;
            /** @description One line, to be shown. */
            summary: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string;
            /** @description What became of the call. It is not kept. */
            result: components["schemas"]["CallResponse"];
        };
        OperateRequest: {
            /**
             * @description The platform_id of the acting user: of whoever calls, but for trusted backends.
             * @example usr_01h455vb4pex5vsknk084sn02q
             */
            user_id: string;
            /**
             * @description The tenant of the acting user. `default` is taken for it, too.
             * @default default
             */
            tenant_id?: string;
            /** @example create_note */
            function: string;
            /**
             * @description Checked against the `params_schema` of the function.
             * @default {}
             */
            params?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description The user has agreed already. Counts where their role says `default_off` and they themselves nothing, and not for money.
             * @default false
             */
            confirmation_bypassed?: boolean;
        };
        OperateResponse: {
            /** @enum {string} */
            kind: "tool_result" | "confirmation" | "panel_approval_required";
            /** @description With the kind `tool_result`. */
            content?: components["schemas"]["CallResponse"];
            /** @description With the kinds `confirmation` and `panel_approval_required`. One of the latter cannot be confirmed: it says what was asked for, and ends by itself. */
            confirmation?: components["schemas"]["ConfirmationResponse"];
            /** @description The id of the confirmation. */
            confirmation_id?: string;
            /** @description With the kind `panel_approval_required`: the page on which the user does it, filled in with what was asked for. Nothing has happened yet. */
            panel_url?: string;
            /** @description Of the confirmation. */
            summary?: string;
            /**
             * Format: date-time
             * @description Of the confirmation.
             */
            expires_at?: string;
        };
        AccessExceptions: {
            denied_roles: string[];
            denied_users: string[];
        };
        AccessPolicy: {
            /** @enum {string} */
            mode: "public" | "restricted";
            required_scopes: string[];
            exceptions: components["schemas"]["AccessExceptions"];
        };
        AccessPolicyResponse: {
            /** @enum {string} */
            mode: "public" | "restricted";
            required_scopes: string[];
            exceptions: components["schemas"]["AccessExceptions"];
            app_id: string;
        };
        AccessPolicyRequest: {
            /** @enum {string} */
            mode: "public" | "restricted";
            /** @description Needed with the mode `restricted`, and only there. */
            required_scopes?: string[];
            /** @description Names of roles. */
            denied_roles?: string[];
            /** @description Ids of users. */
            denied_users?: string[];
        };
        ExtensionUser: {
            /** @enum {string} */
            access: "granted" | "denied";
            id: string;
            /** @description The same as `id`. */
            platform_id: string;
            email: string;
            role: string;
        };
        ExtensionUsersResponse: {
            /** @description By id. */
            users: components["schemas"]["ExtensionUser"][];
        };
        UserSecret: {
            /**
             * @description Who may set it: `user`, `extension` or `both`.
             * @enum {string}
             */
            write_mode: "user" | "extension" | "both";
            /**
             * Format: date-time
             * @description When it was set; null when it is not.
             */
            updated_at: string | null;
            /** @description When its value was last read, by the app or by the user, in seconds since 1970; null before the first time. */
            last_accessed_at: number | null;
            name: string;
            description: string;
            is_set: boolean;
        };
        MarketplaceApp: {
            /** @enum {string} */
            pricing_model: "free" | "per_action" | "subscription";
            install_count: number;
            review_count: number;
            app_id: string;
            name: string;
            /** @description The same as `name`. */
            display_name: string;
            short_description: string;
            category: string;
            tags: string[];
            /** @description The version that runs. */
            version: string;
            developer_id: string;
            /** @description The mean of its ratings, from 1 to 5; 0 before the first. */
            rating: number;
            /** @description The same as `rating`. */
            avg_rating: number;
            featured: boolean;
            /** @description Always false: what everybody has is not listed. */
            system: boolean;
            /** @description An SVG image. */
            icon_url: string;
            /** @description The same as `icon_url`. */
            icon: string;
            /** @description Whether the caller has it; null when nobody is signed in. */
            is_installed: boolean | null;
        };
        MarketplaceTool: {
            /** @enum {string} */
            action_type: "read" | "write" | "destructive";
            /** @description Tokens for a call; 0 for nothing. */
            price: number;
            name: string;
            description: string;
        };
        MarketplaceAppDetail: {
            /** @enum {string} */
            pricing_model: "free" | "per_action" | "subscription";
            install_count: number;
            review_count: number;
            /** @description What the caller agreed to by installing it; null unless they have it. */
            granted_scopes: string[] | null;
            /** @description What it asks for and the caller did not agree to yet, so that it waits for them to install it again; null unless they have it. */
            missing_scopes: string[] | null;
            /** @description Tokens for a month; null unless it is paid for by the month. */
            monthly_price: number | null;
            /** @description Of what it costs by now: installing it with this agrees to that and to nothing newer. Null for nothing. */
            price_version: number | null;
            description: string;
            long_description: string;
            /** @description The developer's name. */
            author: string;
            /** @description That of the app, or else of its developer. */
            homepage: string | null;
            license: string | null;
            tools: components["schemas"]["MarketplaceTool"][];
            /** @description What the version asks for that runs now. */
            requested_scopes: string[];
            /** @description Whether it was installed by an API key that is gone by now, and does nothing for the caller until they install it again; null unless they have it. */
            is_install_key_gone: boolean | null;
            /** Format: date-time */
            published_at: string;
            /** Format: date-time */
            updated_at: string;
            app_id: string;
            name: string;
            /** @description The same as `name`. */
            display_name: string;
            short_description: string;
            category: string;
            tags: string[];
            /** @description The version that runs. */
            version: string;
            developer_id: string;
            /** @description The mean of its ratings, from 1 to 5; 0 before the first. */
            rating: number;
            /** @description The same as `rating`. */
            avg_rating: number;
            featured: boolean;
            /** @description Always false: what everybody has is not listed. */
            system: boolean;
            /** @description An SVG image. */
            icon_url: string;
            /** @description The same as `icon_url`. */
            icon: string;
            /** @description Whether the caller has it; null when nobody is signed in. */
            is_installed: boolean | null;
        };
        MarketplaceWebhook: {
            /** @example stripe/events */
            path: string;
            /** @example POST */
            method: string;
        };
        MarketplaceCategory: {
            /** @description How many apps the marketplace has in it. */
            count: number;
            id: string;
            label: string;
        };
        MarketplaceCategoryEntry: {
            id: string;
            label: string;
            description: string;
            /** @description Older and other spellings that are taken for it. */
            aliases: string[];
        };
        MarketplaceDeveloper: {
            /** @description Of all their apps in the marketplace. */
            total_installs: number;
            developer_id: string;
            nickname: string | null;
            display_name: string;
            description: string;
            website: string | null;
            tier: string;
            /** @description The most installed first; at most 100. */
            apps: components["schemas"]["MarketplaceApp"][];
            /** @description The mean of all ratings of these apps; 0 before the first. */
            avg_rating: number;
        };
        ReviewResponse: {
            rating: number;
            helpful_count: number;
            /** @description Whether the caller found it helpful; null where they did not say, and when nobody is signed in. */
            my_vote: boolean | null;
            id: string;
            app_id: string;
            /** @description Null for who has none, and for who left. */
            user_nickname: string | null;
            title: string;
            body: string;
            /** @description Whether the caller wrote it. */
            is_mine: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        ReviewPageResponse: {
            total: number;
            page: number;
            per_page: number;
            items: components["schemas"]["ReviewResponse"][];
            /** @description From 1 to 5; 0 before the first. */
            avg_rating: number;
        };
        ReviewCreate: {
            rating: number;
            title?: string;
            /** @example Saves me an hour every Monday. */
            body: string;
        };
        ReviewUpdate: {
            rating?: number;
            title?: string;
            /** @example Saves me an hour every Monday. */
            body?: string;
        };
        DeletedReviewResponse: {
            id: string;
            /** @example deleted */
            status: string;
        };
        ReviewVoteRequest: {
            /**
             * @description False takes back what one said, or says the contrary.
             * @default true
             */
            helpful?: boolean;
        };
        ReviewVoteResponse: {
            helpful_count: number;
            id: string;
        };
        ErrorResponse: {
            /** @description What went wrong, for a person. */
            detail: string;
            /**
             * @description What went wrong, for a program: `<thing>.<reason>`, or one name where any route may answer it. A code never changes.
             * @example role.in_use
             */
            code: string;
            /** @description Quote it when you report a problem. */
            request_id: string;
        };
        HTTPValidationError: {
            /** @description Everything that is wrong. */
            detail: components["schemas"]["ValidationError"][];
            /** @enum {string} */
            code: "validation_failed";
            /** @description Quote it when you report a problem. */
            request_id: string;
        };
        ValidationError: {
            /**
             * @description Where: begins with body, query, path or header.
             * @example [
             *       "body",
             *       "email"
             *     ]
             */
            loc: (string | number)[];
            /** @example Field required */
            msg: string;
            /** @example missing */
            type: string;
        };
    };
    responses: never;
    parameters: {
        /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
        RequestId: string;
        /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
        ActingUser: string;
        /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
        ActingSession: string;
    };
    requestBodies: never;
    headers: {
        /** @description Quote it when you report a problem. */
        "X-Request-Id": string;
        /** @description Seconds after which another attempt may be worth it. On every 429, on a 503, and on a 409 `idempotency.in_progress`. */
        "Retry-After": number;
        /** @description What credential is asked for, and what is wrong with the one that came (RFC 6750). */
        "WWW-Authenticate": string;
        /** @description `true`: nothing was done, and this is what the first request with the `Idempotency-Key` was answered. */
        "Idempotency-Replayed": "true";
        /** @description The state that was answered, for `If-None-Match` and `If-Match`. */
        ETag: string;
        /** @description Since when new clients do without this route: `@` and Unix seconds (RFC 9745). */
        Deprecation: string;
        /** @description What is left of the limit per client address: `"name";r=<requests>;t=<seconds>`. */
        RateLimit: string;
        /** @description The limit: `"name";q=<requests>;w=<seconds>`. */
        "RateLimit-Policy": string;
    };
    pathItems: never;
}
export type RuleCreateRequest = components['schemas']['RuleCreateRequest'];
export type RuleTrigger = components['schemas']['RuleTrigger'];
export type RuleResponse = components['schemas']['RuleResponse'];
export type DeletedRuleResponse = components['schemas']['DeletedRuleResponse'];
export type RuleStatusResponse = components['schemas']['RuleStatusResponse'];
export type CreateKeyRequest = components['schemas']['CreateKeyRequest'];
export type KeyResponse = components['schemas']['KeyResponse'];
export type KeyListItem = components['schemas']['KeyListItem'];
export type DeleteKeyResponse = components['schemas']['DeleteKeyResponse'];
export type ApiKeyOwnerRequest = components['schemas']['ApiKeyOwnerRequest'];
export type ApiKeyOwnerResponse = components['schemas']['ApiKeyOwnerResponse'];
export type SessionResponse = components['schemas']['SessionResponse'];
export type SessionListResponse = components['schemas']['SessionListResponse'];
export type RevokeOtherSessionsResponse = components['schemas']['RevokeOtherSessionsResponse'];
export type RegisterSessionRequest = components['schemas']['RegisterSessionRequest'];
export type SessionIdResponse = components['schemas']['SessionIdResponse'];
export type RevokeSessionResponse = components['schemas']['RevokeSessionResponse'];
export type SessionValidResponse = components['schemas']['SessionValidResponse'];
export type JsonWebKeyResponse = components['schemas']['JsonWebKeyResponse'];
export type JsonWebKeySetResponse = components['schemas']['JsonWebKeySetResponse'];
export type AvailabilityResponse = components['schemas']['AvailabilityResponse'];
export type CliCodeRequest = components['schemas']['CliCodeRequest'];
export type CliCodeResponse = components['schemas']['CliCodeResponse'];
export type CliTokenRequest = components['schemas']['CliTokenRequest'];
export type TokenResponse = components['schemas']['TokenResponse'];
export type DeviceAuthorizeRequest = components['schemas']['DeviceAuthorizeRequest'];
export type DeviceAuthorizeResponse = components['schemas']['DeviceAuthorizeResponse'];
export type DeviceLookupRequest = components['schemas']['DeviceLookupRequest'];
export type DeviceLookupResponse = components['schemas']['DeviceLookupResponse'];
export type DeviceApproveRequest = components['schemas']['DeviceApproveRequest'];
export type DeviceApproveResponse = components['schemas']['DeviceApproveResponse'];
export type DevicePendingResponse = components['schemas']['DevicePendingResponse'];
export type DeviceTokenRequest = components['schemas']['DeviceTokenRequest'];
export type LoginRequest = components['schemas']['LoginRequest'];
export type RefreshRequest = components['schemas']['RefreshRequest'];
export type MessageResponse = components['schemas']['MessageResponse'];
export type SetCasesUidRequest = components['schemas']['SetCasesUidRequest'];
export type SetCasesUidResponse = components['schemas']['SetCasesUidResponse'];
export type UserResponse = components['schemas']['UserResponse'];
export type MySettings = components['schemas']['MySettings'];
export type MySettingsResponse = components['schemas']['MySettingsResponse'];
export type UpdateSettingsRequest = components['schemas']['UpdateSettingsRequest'];
export type NicknameResponse = components['schemas']['NicknameResponse'];
export type NicknameBody = components['schemas']['NicknameBody'];
export type ForgotPasswordRequest = components['schemas']['ForgotPasswordRequest'];
export type ResetPasswordRequest = components['schemas']['ResetPasswordRequest'];
export type ChangePasswordRequest = components['schemas']['ChangePasswordRequest'];
export type RegisterRequest = components['schemas']['RegisterRequest'];
export type SignupRequest = components['schemas']['SignupRequest'];
export type SignupResponse = components['schemas']['SignupResponse'];
export type SignupStatusResponse = components['schemas']['SignupStatusResponse'];
export type VerifyEmailRequest = components['schemas']['VerifyEmailRequest'];
export type ResendVerificationRequest = components['schemas']['ResendVerificationRequest'];
export type AgencySettings = components['schemas']['AgencySettings'];
export type AgencyThemeColor = components['schemas']['AgencyThemeColor'];
export type AgencyTheme = components['schemas']['AgencyTheme'];
export type AgencyResponse = components['schemas']['AgencyResponse'];
export type AgencySettingsUpdate = components['schemas']['AgencySettingsUpdate'];
export type CreateAgencyRequest = components['schemas']['CreateAgencyRequest'];
export type AuditEntryResponse = components['schemas']['AuditEntryResponse'];
export type AuditPageResponse = components['schemas']['AuditPageResponse'];
export type RoleResponse = components['schemas']['RoleResponse'];
export type CreateRoleRequest = components['schemas']['CreateRoleRequest'];
export type UpdateRoleRequest = components['schemas']['UpdateRoleRequest'];
export type UpdatedRoleResponse = components['schemas']['UpdatedRoleResponse'];
export type DeletedResponse = components['schemas']['DeletedResponse'];
export type ScopeResponse = components['schemas']['ScopeResponse'];
export type ScopeCreate = components['schemas']['ScopeCreate'];
export type EffectiveScope = components['schemas']['EffectiveScope'];
export type ScopeDenial = components['schemas']['ScopeDenial'];
export type EffectiveScopesResponse = components['schemas']['EffectiveScopesResponse'];
export type ScopeUpdate = components['schemas']['ScopeUpdate'];
export type DeletedScopeResponse = components['schemas']['DeletedScopeResponse'];
export type TenantDatabaseConfig = components['schemas']['TenantDatabaseConfig'];
export type CreateTenantRequest = components['schemas']['CreateTenantRequest'];
export type TenantResponse = components['schemas']['TenantResponse'];
export type UpdateTenantRequest = components['schemas']['UpdateTenantRequest'];
export type DeleteTenantResponse = components['schemas']['DeleteTenantResponse'];
export type TenantHealthResponse = components['schemas']['TenantHealthResponse'];
export type UserDetailResponse = components['schemas']['UserDetailResponse'];
export type UserListResponse = components['schemas']['UserListResponse'];
export type CreateUserRequest = components['schemas']['CreateUserRequest'];
export type UpdateUserRequest = components['schemas']['UpdateUserRequest'];
export type AutoTopUpSettings = components['schemas']['AutoTopUpSettings'];
export type AutoTopUpUpdate = components['schemas']['AutoTopUpUpdate'];
export type BillingProfileUpdate = components['schemas']['BillingProfileUpdate'];
export type BillingProfile = components['schemas']['BillingProfile'];
export type PaymentMethodItem = components['schemas']['PaymentMethodItem'];
export type SetupResponse = components['schemas']['SetupResponse'];
export type WebhookReceipt = components['schemas']['WebhookReceipt'];
export type InvoiceBuyer = components['schemas']['InvoiceBuyer'];
export type InvoiceLine = components['schemas']['InvoiceLine'];
export type InvoiceResponse = components['schemas']['InvoiceResponse'];
export type PaymentHistoryItem = components['schemas']['PaymentHistoryItem'];
export type ContinuedPayment = components['schemas']['ContinuedPayment'];
export type PlanResponse = components['schemas']['PlanResponse'];
export type SubscriptionResponse = components['schemas']['SubscriptionResponse'];
export type LimitsResponse = components['schemas']['LimitsResponse'];
export type PortalSessionResponse = components['schemas']['PortalSessionResponse'];
export type RefundPaymentRequest = components['schemas']['RefundPaymentRequest'];
export type RefundPaymentResponse = components['schemas']['RefundPaymentResponse'];
export type SpendingResponse = components['schemas']['SpendingResponse'];
export type UpdateSpendingRequest = components['schemas']['UpdateSpendingRequest'];
export type SubscribeRequest = components['schemas']['SubscribeRequest'];
export type CheckoutRequest = components['schemas']['CheckoutRequest'];
export type CheckoutResponse = components['schemas']['CheckoutResponse'];
export type CheckoutConfirmRequest = components['schemas']['CheckoutConfirmRequest'];
export type CheckoutConfirmResponse = components['schemas']['CheckoutConfirmResponse'];
export type ChangePlanRequest = components['schemas']['ChangePlanRequest'];
export type PlanChangePreview = components['schemas']['PlanChangePreview'];
export type PlanChangeResponse = components['schemas']['PlanChangeResponse'];
export type RenewResponse = components['schemas']['RenewResponse'];
export type TopUpTier = components['schemas']['TopUpTier'];
export type TopUpConfigResponse = components['schemas']['TopUpConfigResponse'];
export type TopUpRequest = components['schemas']['TopUpRequest'];
export type TopUpResponse = components['schemas']['TopUpResponse'];
export type TopUpConfirmRequest = components['schemas']['TopUpConfirmRequest'];
export type TopUpConfirmResponse = components['schemas']['TopUpConfirmResponse'];
export type AdjustWalletRequest = components['schemas']['AdjustWalletRequest'];
export type AdjustWalletResponse = components['schemas']['AdjustWalletResponse'];
export type WalletResponse = components['schemas']['WalletResponse'];
export type LedgerEntry = components['schemas']['LedgerEntry'];
export type RevenueOfDay = components['schemas']['RevenueOfDay'];
export type CallsOfFunction = components['schemas']['CallsOfFunction'];
export type AppAnalyticsResponse = components['schemas']['AppAnalyticsResponse'];
export type OpenPayoutResponse = components['schemas']['OpenPayoutResponse'];
export type ApprovePayoutRequest = components['schemas']['ApprovePayoutRequest'];
export type PayoutResponse = components['schemas']['PayoutResponse'];
export type RejectPayoutRequest = components['schemas']['RejectPayoutRequest'];
export type PayPayoutRequest = components['schemas']['PayPayoutRequest'];
export type EarningsResponse = components['schemas']['EarningsResponse'];
export type EarningsOfDay = components['schemas']['EarningsOfDay'];
export type AppEarningsResponse = components['schemas']['AppEarningsResponse'];
export type PayoutRequestCreate = components['schemas']['PayoutRequestCreate'];
export type AppSecret = components['schemas']['AppSecret'];
export type SecretValue = components['schemas']['SecretValue'];
export type SecretSetResponse = components['schemas']['SecretSetResponse'];
export type SecretDeletedResponse = components['schemas']['SecretDeletedResponse'];
export type AppLogLine = components['schemas']['AppLogLine'];
export type AppLogsResponse = components['schemas']['AppLogsResponse'];
export type WebhookDelivery = components['schemas']['WebhookDelivery'];
export type WebhookDeliveriesResponse = components['schemas']['WebhookDeliveriesResponse'];
export type WebhookDeliveryDetail = components['schemas']['WebhookDeliveryDetail'];
export type ScheduleRunUsers = components['schemas']['ScheduleRunUsers'];
export type ScheduleRun = components['schemas']['ScheduleRun'];
export type AppSchedule = components['schemas']['AppSchedule'];
export type AppSchedulesResponse = components['schemas']['AppSchedulesResponse'];
export type EventDelivery = components['schemas']['EventDelivery'];
export type EventDeliveriesResponse = components['schemas']['EventDeliveriesResponse'];
export type PricesSyncedResponse = components['schemas']['PricesSyncedResponse'];
export type NewInVersion = components['schemas']['NewInVersion'];
export type PendingAppResponse = components['schemas']['PendingAppResponse'];
export type PendingModule = components['schemas']['PendingModule'];
export type PendingContentResponse = components['schemas']['PendingContentResponse'];
export type ApproveAppRequest = components['schemas']['ApproveAppRequest'];
export type ApproveAppResponse = components['schemas']['ApproveAppResponse'];
export type RejectAppRequest = components['schemas']['RejectAppRequest'];
export type RejectAppResponse = components['schemas']['RejectAppResponse'];
export type SetAppStatusRequest = components['schemas']['SetAppStatusRequest'];
export type AppStatusResponse = components['schemas']['AppStatusResponse'];
export type DeleteAnyAppRequest = components['schemas']['DeleteAnyAppRequest'];
export type AppDeletedResponse = components['schemas']['AppDeletedResponse'];
export type AppCheck = components['schemas']['AppCheck'];
export type AppSubmitResponse = components['schemas']['AppSubmitResponse'];
export type WaitingVersion = components['schemas']['WaitingVersion'];
export type AppWebhook = components['schemas']['AppWebhook'];
export type ListedAppResponse = components['schemas']['ListedAppResponse'];
export type AppCreateRequest = components['schemas']['AppCreateRequest'];
export type AppResponse = components['schemas']['AppResponse'];
export type AppTool = components['schemas']['AppTool'];
export type AppDetailResponse = components['schemas']['AppDetailResponse'];
export type AppUpdateRequest = components['schemas']['AppUpdateRequest'];
export type AppDeleteRequest = components['schemas']['AppDeleteRequest'];
export type CreateDeployRequest = components['schemas']['CreateDeployRequest'];
export type DeployStep = components['schemas']['DeployStep'];
export type DeployResponse = components['schemas']['DeployResponse'];
export type SyncManifestRequest = components['schemas']['SyncManifestRequest'];
export type SyncManifestResponse = components['schemas']['SyncManifestResponse'];
export type GiveTierRequest = components['schemas']['GiveTierRequest'];
export type GiveTierResponse = components['schemas']['GiveTierResponse'];
export type DeveloperTierTerms = components['schemas']['DeveloperTierTerms'];
export type DeveloperConfigResponse = components['schemas']['DeveloperConfigResponse'];
export type DeveloperRegisterRequest = components['schemas']['DeveloperRegisterRequest'];
export type DeveloperRegistrationResponse = components['schemas']['DeveloperRegistrationResponse'];
export type DeveloperProfileResponse = components['schemas']['DeveloperProfileResponse'];
export type UpdateTierRequest = components['schemas']['UpdateTierRequest'];
export type UpdateTierResponse = components['schemas']['UpdateTierResponse'];
export type ActionCreateRequest = components['schemas']['ActionCreateRequest'];
export type CreatedAction = components['schemas']['CreatedAction'];
export type ActionResponse = components['schemas']['ActionResponse'];
export type ActionPageResponse = components['schemas']['ActionPageResponse'];
export type AppActionCount = components['schemas']['AppActionCount'];
export type ActionStatsResponse = components['schemas']['ActionStatsResponse'];
export type FunctionActionStats = components['schemas']['FunctionActionStats'];
export type ExtensionActionStats = components['schemas']['ExtensionActionStats'];
export type AppActionStats = components['schemas']['AppActionStats'];
export type ActionDetailResponse = components['schemas']['ActionDetailResponse'];
export type CallRequest = components['schemas']['CallRequest'];
export type CallResponse = components['schemas']['CallResponse'];
export type BatchCall = components['schemas']['BatchCall'];
export type BatchCallRequest = components['schemas']['BatchCallRequest'];
export type ExtensionFunction = components['schemas']['ExtensionFunction'];
export type InstalledExtension = components['schemas']['InstalledExtension'];
export type DisableBody = components['schemas']['DisableBody'];
export type MyDisabledExtension = components['schemas']['MyDisabledExtension'];
export type UserExtension = components['schemas']['UserExtension'];
export type UserExtensionsResponse = components['schemas']['UserExtensionsResponse'];
export type DisabledExtensionResponse = components['schemas']['DisabledExtensionResponse'];
export type ResetConversationResponse = components['schemas']['ResetConversationResponse'];
export type WithheldAppsRequest = components['schemas']['WithheldAppsRequest'];
export type WithheldAppsResponse = components['schemas']['WithheldAppsResponse'];
export type InstallRequest = components['schemas']['InstallRequest'];
export type AppCost = components['schemas']['AppCost'];
export type InstallResult = components['schemas']['InstallResult'];
export type UninstallResult = components['schemas']['UninstallResult'];
export type NotificationResponse = components['schemas']['NotificationResponse'];
export type NotificationsResponse = components['schemas']['NotificationsResponse'];
export type ConfirmationResponse = components['schemas']['ConfirmationResponse'];
export type ActiveConfirmationsResponse = components['schemas']['ActiveConfirmationsResponse'];
export type ConfirmedResponse = components['schemas']['ConfirmedResponse'];
export type OperateRequest = components['schemas']['OperateRequest'];
export type OperateResponse = components['schemas']['OperateResponse'];
export type AccessExceptions = components['schemas']['AccessExceptions'];
export type AccessPolicy = components['schemas']['AccessPolicy'];
export type AccessPolicyResponse = components['schemas']['AccessPolicyResponse'];
export type AccessPolicyRequest = components['schemas']['AccessPolicyRequest'];
export type ExtensionUser = components['schemas']['ExtensionUser'];
export type ExtensionUsersResponse = components['schemas']['ExtensionUsersResponse'];
export type UserSecret = components['schemas']['UserSecret'];
export type MarketplaceApp = components['schemas']['MarketplaceApp'];
export type MarketplaceTool = components['schemas']['MarketplaceTool'];
export type MarketplaceAppDetail = components['schemas']['MarketplaceAppDetail'];
export type MarketplaceWebhook = components['schemas']['MarketplaceWebhook'];
export type MarketplaceCategory = components['schemas']['MarketplaceCategory'];
export type MarketplaceCategoryEntry = components['schemas']['MarketplaceCategoryEntry'];
export type MarketplaceDeveloper = components['schemas']['MarketplaceDeveloper'];
export type ReviewResponse = components['schemas']['ReviewResponse'];
export type ReviewPageResponse = components['schemas']['ReviewPageResponse'];
export type ReviewCreate = components['schemas']['ReviewCreate'];
export type ReviewUpdate = components['schemas']['ReviewUpdate'];
export type DeletedReviewResponse = components['schemas']['DeletedReviewResponse'];
export type ReviewVoteRequest = components['schemas']['ReviewVoteRequest'];
export type ReviewVoteResponse = components['schemas']['ReviewVoteResponse'];
export type ErrorResponse = components['schemas']['ErrorResponse'];
export type HttpValidationError = components['schemas']['HTTPValidationError'];
export type ValidationError = components['schemas']['ValidationError'];
export type ParameterRequestId = components['parameters']['RequestId'];
export type ParameterActingUser = components['parameters']['ActingUser'];
export type ParameterActingSession = components['parameters']['ActingSession'];
export type HeaderXRequestId = components['headers']['X-Request-Id'];
export type HeaderRetryAfter = components['headers']['Retry-After'];
export type HeaderWwwAuthenticate = components['headers']['WWW-Authenticate'];
export type HeaderIdempotencyReplayed = components['headers']['Idempotency-Replayed'];
export type HeaderETag = components['headers']['ETag'];
export type HeaderDeprecation = components['headers']['Deprecation'];
export type HeaderRateLimit = components['headers']['RateLimit'];
export type HeaderRateLimitPolicy = components['headers']['RateLimit-Policy'];
export type $defs = Record<string, never>;
export interface operations {
    listAutomations: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RuleResponse"][];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope automations:read; a service token needs the permission automations */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    createAutomation: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "prompt": "every day at 09:00: message \"Good morning\"",
                 *       "max_per_hour": 1
                 *     }
                 */
                "application/json": components["schemas"]["RuleCreateRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RuleResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope automations:write; a service token needs the permission automations */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteAutomation: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                rule_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedRuleResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope automations:write; a service token needs the permission automations */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    pauseAutomation: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                rule_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RuleStatusResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope automations:write; a service token needs the permission automations */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    resumeAutomation: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                rule_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RuleStatusResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope automations:write; a service token needs the permission automations */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listKeys: {
        parameters: {
            query?: never;
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyListItem"][];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "deploy pipeline",
                 *       "scopes": "apps:*"
                 *     }
                 */
                "application/json": components["schemas"]["CreateKeyRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteKeyResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionListResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; a service token needs the permission sessions */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    revokeOtherSessions: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevokeOtherSessionsResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; a service token needs the permission sessions */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    registerSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "surface": "api",
                 *       "label": "nightly import"
                 *     }
                 */
                "application/json": components["schemas"]["RegisterSessionRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionIdResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; a service token needs the permission panel-sign-in */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    revokeSession: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevokeSessionResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; a service token needs the permission sessions */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    isSessionValid: {
        parameters: {
            query?: never;
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionValidResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; a service token needs the permission sessions */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    keySet: {
        parameters: {
            query?: never;
            header?: {
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JsonWebKeySetResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    appDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/schema+json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    nicknameAvailable: {
        parameters: {
            query: {
                nickname: string;
            };
            header?: {
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AvailabilityResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests came from this address */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    emailAvailable: {
        parameters: {
            query: {
                email: string;
                tenant_id?: string;
            };
            header?: {
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AvailabilityResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests came from this address */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    createCliCode: {
        parameters: {
            query?: never;
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
                 *       "redirect_uri": "http://127.0.0.1:51004/callback"
                 *     }
                 */
                "application/json": components["schemas"]["CliCodeRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CliCodeResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; a service token needs the permission cli-login */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    exchangeCliCode: {
        parameters: {
            query?: never;
            header?: {
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code": "Zb1vN4c7yQhT0u3mKx9sLw5eRj8dPf2aGi6oHtYkWnE",
                 *       "code_verifier": "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk-example",
                 *       "redirect_uri": "http://127.0.0.1:51004/callback"
                 *     }
                 */
                "application/json": components["schemas"]["CliTokenRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests came from this address */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    authorizeDevice: {
        parameters: {
            query?: never;
            header?: {
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
                 *       "label": "platform CLI on ada-laptop"
                 *     }
                 */
                "application/json": components["schemas"]["DeviceAuthorizeRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceAuthorizeResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests came from this address */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    lookUpDevice: {
        parameters: {
            query?: never;
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "user_code": "BCDF-GHJK"
                 *     }
                 */
                "application/json": components["schemas"]["DeviceLookupRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceLookupResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; a service token needs the permission cli-login */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    approveDevice: {
        parameters: {
            query?: never;
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "user_code": "BCDF-GHJK",
                 *       "action": "approve"
                 *     }
                 */
                "application/json": components["schemas"]["DeviceApproveRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceApproveResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; a service token needs the permission cli-login */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    pollDevice: {
        parameters: {
            query?: never;
            header?: {
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "device_code": "Zb1vN4c7yQhT0u3mKx9sLw5eRj8dPf2aGi6oHtYkWnE",
                 *       "code_verifier": "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk-example"
                 *     }
                 */
                "application/json": components["schemas"]["DeviceTokenRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenResponse"] | components["schemas"]["DevicePendingResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    login: {
        parameters: {
            query?: never;
            header?: {
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com",
                 *       "password": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["LoginRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests came from this address */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    refresh: {
        parameters: {
            query?: never;
            header?: {
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "refresh_token": "Zb1vN4c7yQhT0u3mKx9sLw5eRj8dPf2aGi6oHtYkWnE"
                 *     }
                 */
                "application/json": components["schemas"]["RefreshRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests came from this address */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    logout: {
        parameters: {
            query?: never;
            header?: {
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "refresh_token": "Zb1vN4c7yQhT0u3mKx9sLw5eRj8dPf2aGi6oHtYkWnE"
                 *     }
                 */
                "application/json": components["schemas"]["RefreshRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests came from this address */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    setCasesUid: {
        parameters: {
            query?: never;
            header?: {
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                platform_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "cases_user_id": "4711"
                 *     }
                 */
                "application/json": components["schemas"]["SetCasesUidRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetCasesUidResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; a service token needs the permission panel-sign-in */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    me: {
        parameters: {
            query?: never;
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope profile:read */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getMySettings: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MySettingsResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope profile:read; a service token needs the permission profile */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    updateMySettings: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "confirmation_enabled": true
                 *     }
                 */
                "application/json": components["schemas"]["UpdateSettingsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MySettingsResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; a service token needs the permission profile */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getNickname: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NicknameResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope profile:read; a service token needs the permission profile */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    setNickname: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "nickname": "ada-lovelace"
                 *     }
                 */
                "application/json": components["schemas"]["NicknameBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NicknameResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope profile:write; a service token needs the permission profile */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    forgotPassword: {
        parameters: {
            query?: never;
            header?: {
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["ForgotPasswordRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests came from this address */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: {
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "Zb1vN4c7yQhT0u3mKx9sLw5eRj8dPf2aGi6oHtYkWnE",
                 *       "new_password": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["ResetPasswordRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests came from this address */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "current_password": "the old password",
                 *       "new_password": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["ChangePasswordRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    register: {
        parameters: {
            query?: never;
            header?: {
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com",
                 *       "password": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["RegisterRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; a service token needs the permission accounts */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    signup: {
        parameters: {
            query?: never;
            header?: {
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com",
                 *       "password": "correct horse battery",
                 *       "first_name": "Ada",
                 *       "last_name": "Lovelace"
                 *     }
                 */
                "application/json": components["schemas"]["SignupRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignupResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests came from this address */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    signupStatus: {
        parameters: {
            query: {
                /** @description The `status_token` of the signup. */
                token: string;
            };
            header?: {
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignupStatusResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests came from this address */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    verifyEmail: {
        parameters: {
            query?: never;
            header?: {
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "Zb1vN4c7yQhT0u3mKx9sLw5eRj8dPf2aGi6oHtYkWnE"
                 *     }
                 */
                "application/json": components["schemas"]["VerifyEmailRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests came from this address */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    resendVerification: {
        parameters: {
            query?: never;
            header?: {
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["ResendVerificationRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests came from this address */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    myAgency: {
        parameters: {
            query?: never;
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgencyResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope profile:read */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listAgencies: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                /** @description The tenant that a trusted backend works in when it acts for nobody; without it `default`. Whoever else calls is in their own. */
                tenant_id?: string;
            };
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgencyResponse"][];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope agencies:read; a service token needs the permission agencies */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    createAgency: {
        parameters: {
            query?: {
                /** @description The tenant that a trusted backend works in when it acts for nobody; without it `default`. Whoever else calls is in their own. */
                tenant_id?: string;
            };
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "agency_id": "acme",
                 *       "display_name": "Acme Travel",
                 *       "domain": "acme.example.com",
                 *       "settings": {
                 *         "logo_url": "https://cdn.example.com/logo.svg",
                 *         "extra": {
                 *           "support_url": "https://help.example.com"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateAgencyRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgencyResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope agencies:write; a service token needs the permission agencies */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getAgency: {
        parameters: {
            query?: {
                /** @description The tenant that a trusted backend works in when it acts for nobody; without it `default`. Whoever else calls is in their own. */
                tenant_id?: string;
            };
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                agency_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgencyResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope agencies:read; a service token needs the permission agencies */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    updateAgencySettings: {
        parameters: {
            query?: {
                /** @description The tenant that a trusted backend works in when it acts for nobody; without it `default`. Whoever else calls is in their own. */
                tenant_id?: string;
            };
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                agency_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "logo_url": "https://cdn.example.com/logo.svg",
                 *       "extra": {
                 *         "support_url": "https://help.example.com"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["AgencySettingsUpdate"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgencyResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope *; a service token needs the permission agencies */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    replaceAgencyTheme: {
        parameters: {
            query?: {
                /** @description The tenant that a trusted backend works in when it acts for nobody; without it `default`. Whoever else calls is in their own. */
                tenant_id?: string;
            };
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                agency_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "colors": {
                 *         "primary": {
                 *           "light": "#2a54d4",
                 *           "dark": "oklch(0.75 0.12 270)"
                 *         }
                 *       },
                 *       "density": "compact",
                 *       "radius": "rounded"
                 *     }
                 */
                "application/json": components["schemas"]["AgencyTheme"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgencyResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope *; a service token needs the permission agencies */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    resetAgencyTheme: {
        parameters: {
            query?: {
                /** @description The tenant that a trusted backend works in when it acts for nobody; without it `default`. Whoever else calls is in their own. */
                tenant_id?: string;
            };
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                agency_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope *; a service token needs the permission agencies */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    readAudit: {
        parameters: {
            query?: {
                actor_id?: string;
                target_type?: string;
                target_id?: string;
                /** @description One, or with `*` at its end all that begin so: `role.*`. */
                action?: string;
                source?: string;
                /** @description From this moment on. Without a time it is the beginning of the day, and without a time zone UTC. */
                from?: string;
                /** @description Before this moment, read as `from`. */
                to?: string;
                page?: number;
                per_page?: number;
                /** @description The tenant that a trusted backend works in when it acts for nobody; without it `default`. Whoever else calls is in their own. */
                tenant_id?: string;
            };
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditPageResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope *; a service token needs the permission audit */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listRoles: {
        parameters: {
            query?: {
                /** @description The tenant that a trusted backend works in when it acts for nobody; without it `default`. Whoever else calls is in their own. */
                tenant_id?: string;
            };
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RoleResponse"][];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope roles:read; a service token needs the permission roles */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    createRole: {
        parameters: {
            query?: {
                /** @description The tenant that a trusted backend works in when it acts for nobody; without it `default`. Whoever else calls is in their own. */
                tenant_id?: string;
            };
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "support",
                 *       "display_name": "Support",
                 *       "default_scopes": [
                 *         "users:read",
                 *         "apps:*"
                 *       ],
                 *       "default_attributes": {
                 *         "timezone": "Europe/Vienna"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateRoleRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RoleResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope roles:write; a service token needs the permission roles */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteRole: {
        parameters: {
            query?: {
                /** @description The tenant that a trusted backend works in when it acts for nobody; without it `default`. Whoever else calls is in their own. */
                tenant_id?: string;
            };
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                role_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope roles:write; a service token needs the permission roles */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    updateRole: {
        parameters: {
            query?: {
                /** @description Gives the users of the role what it says now: their own grants go, its default attributes are written over theirs. */
                cascade?: boolean;
                /** @description The tenant that a trusted backend works in when it acts for nobody; without it `default`. Whoever else calls is in their own. */
                tenant_id?: string;
            };
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                role_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "display_name": "Support",
                 *       "default_scopes": [
                 *         "users:read",
                 *         "apps:*"
                 *       ],
                 *       "default_attributes": {
                 *         "timezone": "Europe/Vienna"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UpdateRoleRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdatedRoleResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope roles:write; a service token needs the permission roles */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listScopes: {
        parameters: {
            query?: {
                resource?: string;
                source?: string;
                /** @description The tenant that a trusted backend works in when it acts for nobody; without it `default`. Whoever else calls is in their own. */
                tenant_id?: string;
            };
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScopeResponse"][];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope scopes:read; a service token needs the permission scopes */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    createScope: {
        parameters: {
            query?: {
                /** @description The tenant that a trusted backend works in when it acts for nobody; without it `default`. Whoever else calls is in their own. */
                tenant_id?: string;
            };
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "resource": "invoices",
                 *       "action": "read",
                 *       "display_name": "Read invoices"
                 *     }
                 */
                "application/json": components["schemas"]["ScopeCreate"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScopeResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope scopes:write; a service token needs the permission scopes */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    effectiveScopes: {
        parameters: {
            query?: {
                /** @description The tenant that a trusted backend works in when it acts for nobody; without it `default`. Whoever else calls is in their own. */
                tenant_id?: string;
            };
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EffectiveScopesResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope profile:read; a service token needs the permission scopes */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteScope: {
        parameters: {
            query?: {
                /** @description The tenant that a trusted backend works in when it acts for nobody; without it `default`. Whoever else calls is in their own. */
                tenant_id?: string;
            };
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                scope_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedScopeResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope scopes:write; a service token needs the permission scopes */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    updateScope: {
        parameters: {
            query?: {
                /** @description The tenant that a trusted backend works in when it acts for nobody; without it `default`. Whoever else calls is in their own. */
                tenant_id?: string;
            };
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                scope_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "display_name": "Read invoices",
                 *       "description": "All of them, also those of others."
                 *     }
                 */
                "application/json": components["schemas"]["ScopeUpdate"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScopeResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope scopes:write; a service token needs the permission scopes */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listTenants: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantResponse"][];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope tenants:read; a service token needs the permission tenants */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    createTenant: {
        parameters: {
            query?: never;
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "tenant_id": "acme",
                 *       "name": "Acme Travel"
                 *     }
                 */
                "application/json": components["schemas"]["CreateTenantRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope tenants:write; a service token needs the permission tenants */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getTenant: {
        parameters: {
            query?: never;
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                tenant_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope tenants:read; a service token needs the permission tenants */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteTenant: {
        parameters: {
            query?: never;
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                tenant_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteTenantResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope tenants:write; a service token needs the permission tenants */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    updateTenant: {
        parameters: {
            query?: never;
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                tenant_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Acme Travel",
                 *       "max_connections": 20
                 *     }
                 */
                "application/json": components["schemas"]["UpdateTenantRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope tenants:write; a service token needs the permission tenants */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getTenantHealth: {
        parameters: {
            query?: never;
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                tenant_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantHealthResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope tenants:read; a service token needs the permission tenants */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests came from this address */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listUsers: {
        parameters: {
            query?: {
                role?: string;
                include_inactive?: boolean;
                /** @description Any part of the address or the name; one or two characters find what begins with them. */
                search?: string;
                /** @description Who holds this scope, by role or by a grant of their own, denials aside. */
                scope?: string;
                is_active?: boolean;
                limit?: number;
                offset?: number;
                /** @description The tenant that a trusted backend works in when it acts for nobody; without it `default`. Whoever else calls is in their own. */
                tenant_id?: string;
            };
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserListResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope users:read; a service token needs the permission users */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    createUser: {
        parameters: {
            query?: {
                /** @description The tenant that a trusted backend works in when it acts for nobody; without it `default`. Whoever else calls is in their own. */
                tenant_id?: string;
            };
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com",
                 *       "password": "correct horse battery",
                 *       "first_name": "Ada",
                 *       "last_name": "Lovelace",
                 *       "role": "user"
                 *     }
                 */
                "application/json": components["schemas"]["CreateUserRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserDetailResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope users:write; a service token needs the permission users */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getUser: {
        parameters: {
            query?: {
                /** @description The tenant that a trusted backend works in when it acts for nobody; without it `default`. Whoever else calls is in their own. */
                tenant_id?: string;
            };
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserDetailResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope users:read; a service token needs the permission users */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteUser: {
        parameters: {
            query?: {
                /** @description Erases what is personal, for good. Without it the user is deactivated. */
                permanent?: boolean;
                /** @description The tenant that a trusted backend works in when it acts for nobody; without it `default`. Whoever else calls is in their own. */
                tenant_id?: string;
            };
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserDetailResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope users:write; a service token needs the permission users */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    updateUser: {
        parameters: {
            query?: {
                /** @description The tenant that a trusted backend works in when it acts for nobody; without it `default`. Whoever else calls is in their own. */
                tenant_id?: string;
            };
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "denied_scopes": [
                 *         "users:read"
                 *       ],
                 *       "reason": "Left the support team."
                 *     }
                 */
                "application/json": components["schemas"]["UpdateUserRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserDetailResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope users:write; a service token needs the permission users */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    readAutoTopup: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutoTopUpSettings"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope billing:read; a service token needs the permission billing */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    updateAutoTopup: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "enabled": true,
                 *       "threshold_pct": 10,
                 *       "recharge_tokens": 20000,
                 *       "recharge_cents": 2000
                 *     }
                 */
                "application/json": components["schemas"]["AutoTopUpUpdate"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutoTopUpSettings"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; a service token needs the permission billing */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests came from this user */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    updateBillingProfile: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "company": "Engines Ltd",
                 *       "vat": "GB123456789",
                 *       "country": "GB"
                 *     }
                 */
                "application/json": components["schemas"]["BillingProfileUpdate"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BillingProfile"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; a service token needs the permission billing */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests came from this user */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listPaymentMethods: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentMethodItem"][];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope billing:read; a service token needs the permission billing */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    setUpPaymentMethod: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description The same request again with the same key, within 24 hours, does nothing more: it is answered as the first was, with `Idempotency-Replayed: true`; 409 `idempotency.in_progress` as long as the first is under way. Another request with the key is a 422 `idempotency.key_reused`. Answers of 401, 403, 422 (what does not validate), 429 and from 500 on are not kept. */
                "Idempotency-Key"?: string;
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetupResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; a service token needs the permission billing */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests came from this user */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    setDefaultPaymentMethod: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                pm_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentMethodItem"][];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; a service token needs the permission billing */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests came from this user */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deletePaymentMethod: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                pm_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentMethodItem"][];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; a service token needs the permission billing */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests came from this user */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    receiveStripeEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description The time and an HMAC-SHA256 of it and the body */
                "Stripe-Signature": string;
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description An event of Stripe */
        requestBody: {
            content: {
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookReceipt"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listInvoices: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoiceResponse"][];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope billing:read; a service token needs the permission billing */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getInvoice: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                invoice_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoiceResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope billing:read; a service token needs the permission billing */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getInvoicePage: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                invoice_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope billing:read; a service token needs the permission billing */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listPayments: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentHistoryItem"][];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope billing:read; a service token needs the permission billing */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    continuePayment: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                payment_intent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContinuedPayment"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; a service token needs the permission billing */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests came from this user */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listPlans: {
        parameters: {
            query?: never;
            header?: {
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanResponse"][];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    readSubscription: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope billing:read; a service token needs the permission billing */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    readUsage: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LimitsResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope billing:read; a service token needs the permission billing */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    openPortal: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortalSessionResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; a service token needs the permission billing */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests came from this user */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    refundPayment: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request again with the same key, within 24 hours, does nothing more: it is answered as the first was, with `Idempotency-Replayed: true`; 409 `idempotency.in_progress` as long as the first is under way. Another request with the key is a 422 `idempotency.key_reused`. Answers of 401, 403, 422 (what does not validate), 429 and from 500 on are not kept. */
                "Idempotency-Key"?: string;
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                payment_intent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "amount_cents": 500,
                 *       "note": "Bought twice"
                 *     }
                 */
                "application/json": components["schemas"]["RefundPaymentRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundPaymentResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope *; a service token needs the permission billing-admin */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    readMySpending: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SpendingResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope billing:read; a service token needs the permission billing */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    updateMySpending: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "unattended_limit": 500,
                 *       "other_apps_limit": null
                 *     }
                 */
                "application/json": components["schemas"]["UpdateSpendingRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SpendingResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; a service token needs the permission billing */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    subscribe: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description The same request again with the same key, within 24 hours, does nothing more: it is answered as the first was, with `Idempotency-Replayed: true`; 409 `idempotency.in_progress` as long as the first is under way. Another request with the key is a 422 `idempotency.key_reused`. Answers of 401, 403, 422 (what does not validate), 429 and from 500 on are not kept. */
                "Idempotency-Key"?: string;
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "plan_id": "free"
                 *     }
                 */
                "application/json": components["schemas"]["SubscribeRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; a service token needs the permission billing */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests came from this user */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    checkOut: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description The same request again with the same key, within 24 hours, does nothing more: it is answered as the first was, with `Idempotency-Replayed: true`; 409 `idempotency.in_progress` as long as the first is under way. Another request with the key is a 422 `idempotency.key_reused`. Answers of 401, 403, 422 (what does not validate), 429 and from 500 on are not kept. */
                "Idempotency-Key"?: string;
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "plan_id": "pro",
                 *       "period": "monthly",
                 *       "save_payment_method": true
                 *     }
                 */
                "application/json": components["schemas"]["CheckoutRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; a service token needs the permission billing */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests came from this user */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    confirmCheckout: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "payment_intent_id": "pi_3MtwBwLkdIwHu7ix28a3tqPa"
                 *     }
                 */
                "application/json": components["schemas"]["CheckoutConfirmRequest"];
            };
        };
        responses: {
            /** @description The plan has begun */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutConfirmResponse"];
                };
            };
            /** @description The bank takes its time: ask again later */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutConfirmResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; a service token needs the permission billing */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests came from this user */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    cancelSubscription: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description The same request again with the same key, within 24 hours, does nothing more: it is answered as the first was, with `Idempotency-Replayed: true`; 409 `idempotency.in_progress` as long as the first is under way. Another request with the key is a 422 `idempotency.key_reused`. Answers of 401, 403, 422 (what does not validate), 429 and from 500 on are not kept. */
                "Idempotency-Key"?: string;
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; a service token needs the permission billing */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests came from this user */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    resumeSubscription: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description The same request again with the same key, within 24 hours, does nothing more: it is answered as the first was, with `Idempotency-Replayed: true`; 409 `idempotency.in_progress` as long as the first is under way. Another request with the key is a 422 `idempotency.key_reused`. Answers of 401, 403, 422 (what does not validate), 429 and from 500 on are not kept. */
                "Idempotency-Key"?: string;
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; a service token needs the permission billing */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests came from this user */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    previewPlanChange: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "plan_id": "business"
                 *     }
                 */
                "application/json": components["schemas"]["ChangePlanRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanChangePreview"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; a service token needs the permission billing */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    changePlan: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description The same request again with the same key, within 24 hours, does nothing more: it is answered as the first was, with `Idempotency-Replayed: true`; 409 `idempotency.in_progress` as long as the first is under way. Another request with the key is a 422 `idempotency.key_reused`. Answers of 401, 403, 422 (what does not validate), 429 and from 500 on are not kept. */
                "Idempotency-Key"?: string;
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "plan_id": "business"
                 *     }
                 */
                "application/json": components["schemas"]["ChangePlanRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanChangeResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; a service token needs the permission billing */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests came from this user */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    renewSubscription: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description The same request again with the same key, within 24 hours, does nothing more: it is answered as the first was, with `Idempotency-Replayed: true`; 409 `idempotency.in_progress` as long as the first is under way. Another request with the key is a 422 `idempotency.key_reused`. Answers of 401, 403, 422 (what does not validate), 429 and from 500 on are not kept. */
                "Idempotency-Key"?: string;
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is renewed, or a browser has to end the payment */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RenewResponse"];
                };
            };
            /** @description The payment is under way */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RenewResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; a service token needs the permission billing */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests came from this user */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    readTopupConfig: {
        parameters: {
            query?: never;
            header?: {
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TopUpConfigResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    topUp: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description The same request again with the same key, within 24 hours, does nothing more: it is answered as the first was, with `Idempotency-Replayed: true`; 409 `idempotency.in_progress` as long as the first is under way. Another request with the key is a 422 `idempotency.key_reused`. Answers of 401, 403, 422 (what does not validate), 429 and from 500 on are not kept. */
                "Idempotency-Key"?: string;
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "tokens": 10000,
                 *       "price_cents": 1000,
                 *       "save_payment_method": true
                 *     }
                 */
                "application/json": components["schemas"]["TopUpRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TopUpResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; a service token needs the permission billing */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests came from this user */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    confirmTopup: {
        parameters: {
            query?: never;
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "payment_intent_id": "pi_3MtwBwLkdIwHu7ix28a3tqPa"
                 *     }
                 */
                "application/json": components["schemas"]["TopUpConfirmRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TopUpConfirmResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; a service token needs the permission billing */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    adjustWallet: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request again with the same key, within 24 hours, does nothing more: it is answered as the first was, with `Idempotency-Replayed: true`; 409 `idempotency.in_progress` as long as the first is under way. Another request with the key is a 422 `idempotency.key_reused`. Answers of 401, 403, 422 (what does not validate), 429 and from 500 on are not kept. */
                "Idempotency-Key"?: string;
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "amount": 500,
                 *       "note": "Welcome"
                 *     }
                 */
                "application/json": components["schemas"]["AdjustWalletRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdjustWalletResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope *; a service token needs the permission billing-admin */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    readWallet: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope billing:read; a service token needs the permission billing */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    readBalance: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope billing:read; a service token needs the permission billing */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listWalletHistory: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LedgerEntry"][];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope billing:read; a service token needs the permission billing */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getAppAnalytics: {
        parameters: {
            query?: {
                /** @description Today included. Default: 30, or as many as the tier allows when those are fewer. */
                days?: number;
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppAnalyticsResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope apps:read; a service token needs the permission developer */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listOpenPayouts: {
        parameters: {
            query?: {
                /** @description `pending`: to be decided about; `approved`: to be paid. */
                status?: "pending" | "approved";
                limit?: number;
                offset?: number;
            };
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenPayoutResponse"][];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope *; a service token needs the permission billing-admin */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    approvePayout: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request again with the same key, within 24 hours, does nothing more: it is answered as the first was, with `Idempotency-Replayed: true`; 409 `idempotency.in_progress` as long as the first is under way. Another request with the key is a 422 `idempotency.key_reused`. Answers of 401, 403, 422 (what does not validate), 429 and from 500 on are not kept. */
                "Idempotency-Key"?: string;
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                payout_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "note": "You have it by Friday."
                 *     }
                 */
                "application/json": components["schemas"]["ApprovePayoutRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope *; a service token needs the permission billing-admin */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    rejectPayout: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request again with the same key, within 24 hours, does nothing more: it is answered as the first was, with `Idempotency-Replayed: true`; 409 `idempotency.in_progress` as long as the first is under way. Another request with the key is a 422 `idempotency.key_reused`. Answers of 401, 403, 422 (what does not validate), 429 and from 500 on are not kept. */
                "Idempotency-Key"?: string;
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                payout_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "note": "Tell us first where to pay it."
                 *     }
                 */
                "application/json": components["schemas"]["RejectPayoutRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope *; a service token needs the permission billing-admin */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    payPayout: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request again with the same key, within 24 hours, does nothing more: it is answered as the first was, with `Idempotency-Replayed: true`; 409 `idempotency.in_progress` as long as the first is under way. Another request with the key is a 422 `idempotency.key_reused`. Answers of 401, 403, 422 (what does not validate), 429 and from 500 on are not kept. */
                "Idempotency-Key"?: string;
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                payout_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reference": "SEPA 2026-11-25 0042"
                 *     }
                 */
                "application/json": components["schemas"]["PayPayoutRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope *; a service token needs the permission billing-admin */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getEarnings: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EarningsResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope billing:read; a service token needs the permission billing */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getAppEarnings: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppEarningsResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope billing:read; a service token needs the permission billing */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listPayouts: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutResponse"][];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope billing:read; a service token needs the permission billing */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    createPayout: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description The same request again with the same key, within 24 hours, does nothing more: it is answered as the first was, with `Idempotency-Replayed: true`; 409 `idempotency.in_progress` as long as the first is under way. Another request with the key is a 422 `idempotency.key_reused`. Answers of 401, 403, 422 (what does not validate), 429 and from 500 on are not kept. */
                "Idempotency-Key"?: string;
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "amount_tokens": 25000,
                 *       "payout_method": "bank transfer",
                 *       "notes": "The account that we agreed on."
                 *     }
                 */
                "application/json": components["schemas"]["PayoutRequestCreate"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; a service token needs the permission billing */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests came from this user */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    requestPayout: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description The same request again with the same key, within 24 hours, does nothing more: it is answered as the first was, with `Idempotency-Replayed: true`; 409 `idempotency.in_progress` as long as the first is under way. Another request with the key is a 422 `idempotency.key_reused`. Answers of 401, 403, 422 (what does not validate), 429 and from 500 on are not kept. */
                "Idempotency-Key"?: string;
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "amount_tokens": 25000,
                 *       "payout_method": "bank transfer",
                 *       "notes": "The account that we agreed on."
                 *     }
                 */
                "application/json": components["schemas"]["PayoutRequestCreate"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; a service token needs the permission billing */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests came from this user */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listAppSecrets: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppSecret"][];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope secrets:read; a service token needs the permission developer */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    setAppSecret: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                app_id: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "value": "sk_test_4eC39HqLyjWDarjtT1zdp7dc"
                 *     }
                 */
                "application/json": components["schemas"]["SecretValue"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecretSetResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope secrets:write; a service token needs the permission developer */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests came from this user */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteAppSecret: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                app_id: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecretDeletedResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope secrets:write; a service token needs the permission developer */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests came from this user */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getAppLogs: {
        parameters: {
            query?: {
                /** @description The `next` of the answer before. Absent: the latest lines. */
                after?: string;
                limit?: number;
                /** @description Only lines of this level. */
                level?: "info" | "warning" | "error";
                /** @description Only of runs of this kind: `function`, `webhook`, …. */
                kind?: "function" | "skeleton" | "webhook" | "schedule" | "event" | "lifecycle" | "health";
                /** @description Only of runs of the handler of this name, or of the webhook of this path. */
                handler?: string;
                /** @description Only of the run of this request. */
                request_id?: string;
                /** @description How long to wait for a line where there is none. */
                wait_seconds?: number;
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppLogsResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope apps:read; a service token needs the permission developer */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                status?: "pending" | "running" | "succeeded" | "dead";
                /** @description The `cursor` of the page before. */
                cursor?: string;
                limit?: number;
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveriesResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope apps:read; a service token needs the permission developer */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                app_id: string;
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryDetail"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope apps:read; a service token needs the permission developer */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    replayWebhookDelivery: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                app_id: string;
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope apps:write; a service token needs the permission developer */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests came from this user */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listSchedules: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppSchedulesResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope apps:read; a service token needs the permission developer */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    runSchedule: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                app_id: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduleRun"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope apps:write; a service token needs the permission developer */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests came from this user */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listEventDeliveries: {
        parameters: {
            query?: {
                status?: "pending" | "running" | "succeeded" | "dead";
                /** @description The `cursor` of the page before. */
                cursor?: string;
                limit?: number;
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventDeliveriesResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope apps:read; a service token needs the permission developer */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    replayEventDelivery: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                app_id: string;
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventDelivery"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope apps:write; a service token needs the permission developer */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests came from this user */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    syncAllPrices: {
        parameters: {
            query?: never;
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PricesSyncedResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope *; a service token needs the permission billing-admin */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    syncPrices: {
        parameters: {
            query?: never;
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PricesSyncedResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope *; a service token needs the permission billing-admin */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listPendingApps: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingAppResponse"][];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope *; a service token needs the permission app-review */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    showPendingApp: {
        parameters: {
            query?: {
                /** @description The version to look at: 404 when another one waits by now. */
                version?: string;
            };
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingContentResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope *; a service token needs the permission app-review */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    approveApp: {
        parameters: {
            query?: never;
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                app_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "version": "1.2.0"
                 *     }
                 */
                "application/json": components["schemas"]["ApproveAppRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApproveAppResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope *; a service token needs the permission app-review */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    rejectApp: {
        parameters: {
            query?: never;
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                app_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "The icon is the mark of another company."
                 *     }
                 */
                "application/json": components["schemas"]["RejectAppRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RejectAppResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope *; a service token needs the permission app-review */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    setAppStatus: {
        parameters: {
            query?: never;
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                app_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "suspended"
                 *     }
                 */
                "application/json": components["schemas"]["SetAppStatusRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppStatusResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope *; a service token needs the permission app-review */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteAnyApp: {
        parameters: {
            query?: never;
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                app_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "confirm_name": "Invoices"
                 *     }
                 */
                "application/json": components["schemas"]["DeleteAnyAppRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppDeletedResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope *; a service token needs the permission app-review */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    submitApp: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppSubmitResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope apps:write; a service token needs the permission developer */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests came from this user */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    suspendApp: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppStatusResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope apps:write; a service token needs the permission developer */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests came from this user */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listDeveloperApps: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedAppResponse"][];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope apps:read; a service token needs the permission developer */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    createApp: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "app_id": "invoices",
                 *       "display_name": "Invoices",
                 *       "short_description": "Sends invoices.",
                 *       "category": "finance",
                 *       "tags": [
                 *         "invoices",
                 *         "pdf"
                 *       ],
                 *       "icon": "🧾",
                 *       "license": "MIT"
                 *     }
                 */
                "application/json": components["schemas"]["AppCreateRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope apps:write; a service token needs the permission developer */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests came from this user */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getDeveloperApp: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppDetailResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope apps:read; a service token needs the permission developer */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    updateApp: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                app_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "short_description": "Sends invoices.",
                 *       "category": "finance",
                 *       "tags": [
                 *         "invoices",
                 *         "pdf"
                 *       ],
                 *       "icon": "🧾",
                 *       "license": "MIT"
                 *     }
                 */
                "application/json": components["schemas"]["AppUpdateRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope apps:write; a service token needs the permission developer */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests came from this user */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteApp: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                app_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "confirm_name": "Invoices"
                 *     }
                 */
                "application/json": components["schemas"]["AppDeleteRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppDeletedResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope apps:write; a service token needs the permission developer */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests came from this user */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listDeploys: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does; anybody else is refused. */
                user_id?: string;
                limit?: number;
                offset?: number;
            };
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeployResponse"][];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope apps:read; a service token needs the permission developer */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    createDeploy: {
        parameters: {
            query?: never;
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                app_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "version": "1.2.0",
                 *       "changelog": "Says hello.",
                 *       "ir_dict": {
                 *         "ir_version": "1.0",
                 *         "app": {
                 *           "id": "invoices",
                 *           "version": "1.2.0",
                 *           "title": "Invoices",
                 *           "functions": [
                 *             {
                 *               "name": "hello",
                 *               "description": "Says hello.",
                 *               "impl": {
                 *                 "kind": "steps",
                 *                 "steps": [
                 *                   {
                 *                     "id": "done",
                 *                     "kind": "control",
                 *                     "action": "return",
                 *                     "params": {
                 *                       "data": "Hello"
                 *                     }
                 *                   }
                 *                 ]
                 *               }
                 *             }
                 *           ]
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateDeployRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeployResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope apps:write; a service token needs the permission developer */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests came from this user */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getDeploy: {
        parameters: {
            query?: never;
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                app_id: string;
                deploy_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeployResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope apps:read; a service token needs the permission developer */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    syncManifest: {
        parameters: {
            query?: never;
            header?: {
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                app_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "icon_svg": "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 8 8\"><circle cx=\"4\" cy=\"4\" r=\"4\"/></svg>"
                 *     }
                 */
                "application/json": components["schemas"]["SyncManifestRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SyncManifestResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; a service token needs the permission manifests */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    giveDeveloperTier: {
        parameters: {
            query?: never;
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "user_id": "usr_01h455vb4pex5vsknk084sn02q",
                 *       "tier": "studio"
                 *     }
                 */
                "application/json": components["schemas"]["GiveTierRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GiveTierResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope *; a service token needs the permission app-review */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getDeveloperConfig: {
        parameters: {
            query?: never;
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeveloperConfigResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope *; a service token needs the permission app-review */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    registerDeveloper: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description The same request again with the same key, within 24 hours, does nothing more: it is answered as the first was, with `Idempotency-Replayed: true`; 409 `idempotency.in_progress` as long as the first is under way. Another request with the key is a 422 `idempotency.key_reused`. Answers of 401, 403, 422 (what does not validate), 429 and from 500 on are not kept. */
                "Idempotency-Key"?: string;
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "display_name": "Ada Lovelace",
                 *       "nickname": "ada-lovelace",
                 *       "website": "https://ada.example.com"
                 *     }
                 */
                "application/json": components["schemas"]["DeveloperRegisterRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeveloperRegistrationResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope apps:write; a service token needs the permission developer */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests came from this user */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getDeveloperProfile: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeveloperProfileResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope apps:read; a service token needs the permission developer */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    updateDeveloperTier: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "tier": "indie"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateTierRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateTierResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; a service token needs the permission developer */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Too many requests came from this user */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listActions: {
        parameters: {
            query?: {
                app_id?: string;
                action_type?: "read" | "write" | "destructive";
                status?: "success" | "completed" | "error" | "failed" | "timeout" | "cancelled" | "rejected";
                /** @description A part of the app's id, of the function's name or of the error. */
                search?: string;
                page?: number;
                per_page?: number;
                /** @description Of no effect. An older description of this route demanded it, so clients send it. */
                kwargs?: string;
            };
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActionPageResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope actions:read */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    createAction: {
        parameters: {
            query?: never;
            header?: {
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "trace_id": "act_01h455vb4pex5vsknk084sn02q",
                 *       "user_id": "usr_01h455vb4pex5vsknk084sn02q",
                 *       "app_id": "invoices",
                 *       "tool_name": "create_invoice",
                 *       "action_type": "write",
                 *       "status": "success",
                 *       "duration_ms": 120,
                 *       "llm_steps": [
                 *         {
                 *           "model": "small",
                 *           "tokens": 310
                 *         }
                 *       ],
                 *       "llm_total_tokens": 310
                 *     }
                 */
                "application/json": components["schemas"]["ActionCreateRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedAction"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; a service token needs the permission actions */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    readActionStats: {
        parameters: {
            query?: never;
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActionStatsResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope actions:read */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    readExtensionStats: {
        parameters: {
            query?: never;
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExtensionActionStats"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope actions:read */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    readMarketplaceStats: {
        parameters: {
            query?: never;
            header?: {
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppActionStats"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; a service token needs the permission actions */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    readAction: {
        parameters: {
            query?: never;
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                trace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActionDetailResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope actions:read */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    callFunction: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                app_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "user_id": "usr_01h455vb4pex5vsknk084sn02q",
                 *       "function": "create_note",
                 *       "params": {
                 *         "text": "Buy milk"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CallRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope extensions:call or {app_id}:call; a service token needs the permission calls */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    callFunctions: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                app_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "user_id": "usr_01h455vb4pex5vsknk084sn02q",
                 *       "calls": [
                 *         {
                 *           "function": "create_note",
                 *           "params": {
                 *             "text": "Buy milk"
                 *           }
                 *         },
                 *         {
                 *           "function": "list_notes"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["BatchCallRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallResponse"][];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope extensions:call or {app_id}:call; a service token needs the permission calls */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listMyExtensions: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InstalledExtension"][];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope installs:read; a service token needs the permission extensions */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    disableMyExtension: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "app_id": "invoices"
                 *     }
                 */
                "application/json": components["schemas"]["DisableBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MyDisabledExtension"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope installs:write; a service token needs the permission extensions */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    enableMyExtension: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MyDisabledExtension"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope installs:write; a service token needs the permission extensions */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listUserExtensions: {
        parameters: {
            query?: never;
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserExtensionsResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope installs:read; a service token needs the permission extensions */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    disableUserExtension: {
        parameters: {
            query?: never;
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "app_id": "invoices"
                 *     }
                 */
                "application/json": components["schemas"]["DisableBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DisabledExtensionResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope installs:write; a service token needs the permission extensions */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    enableUserExtension: {
        parameters: {
            query?: never;
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                user_id: string;
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DisabledExtensionResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope installs:write; a service token needs the permission extensions */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    resetConversation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResetConversationResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope *; a service token needs the permission extensions */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    installApp: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                app_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "version": "1.2.0"
                 *     }
                 */
                "application/json": components["schemas"]["InstallRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InstallResult"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope installs:write; a service token needs the permission extensions */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    uninstallApp: {
        parameters: {
            query?: {
                /** @description Deletes at once what the app keeps for the caller, also when they removed it before. Without it that is done after 30 days. */
                purge?: boolean;
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UninstallResult"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope installs:write; a service token needs the permission extensions */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listNotifications: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationsResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope profile:read */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listActiveConfirmations: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActiveConfirmationsResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope confirmations:read; a service token needs the permission calls */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    readConfirmation: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                confirmation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConfirmationResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope confirmations:read; a service token needs the permission calls */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    "confirm[0]": {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                confirmation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConfirmedResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; a service token needs the permission calls */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    "confirm[1]": {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                confirmation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConfirmedResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; a service token needs the permission calls */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    cancelConfirmation: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                confirmation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConfirmationResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; a service token needs the permission calls */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    operate: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                app_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "user_id": "usr_01h455vb4pex5vsknk084sn02q",
                 *       "function": "delete_note",
                 *       "params": {
                 *         "id": "note_1"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["OperateRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperateResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope extensions:call or {app_id}:call; a service token needs the permission calls */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listAccessPolicies: {
        parameters: {
            query?: {
                tenant_id?: string;
                limit?: number;
                offset?: number;
            };
            header?: {
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: components["schemas"]["AccessPolicy"];
                    };
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; a service token needs the permission extensions */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getAccessPolicy: {
        parameters: {
            query?: {
                /** @description The tenant that a trusted backend works in when it acts for nobody; without it `default`. Whoever else calls is in their own. */
                tenant_id?: string;
            };
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessPolicyResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope *; a service token needs the permission extensions */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    replaceAccessPolicy: {
        parameters: {
            query?: {
                /** @description The tenant that a trusted backend works in when it acts for nobody; without it `default`. Whoever else calls is in their own. */
                tenant_id?: string;
            };
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                app_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "mode": "restricted",
                 *       "required_scopes": [
                 *         "invoices:read"
                 *       ],
                 *       "denied_roles": [
                 *         "guest"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["AccessPolicyRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessPolicyResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope *; a service token needs the permission extensions */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listExtensionUsers: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                /** @description The tenant that a trusted backend works in when it acts for nobody; without it `default`. Whoever else calls is in their own. */
                tenant_id?: string;
            };
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExtensionUsersResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope *; a service token needs the permission extensions */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listUserSecrets: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserSecret"][];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope secrets:read; a service token needs the permission secrets */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getUserSecret: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                app_id: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecretValue"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope secrets:read; a service token needs the permission secrets */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    setUserSecret: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                app_id: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "value": "sk_test_4eC39HqLyjWDarjtT1zdp7dc"
                 *     }
                 */
                "application/json": components["schemas"]["SecretValue"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecretSetResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope secrets:write; a service token needs the permission secrets */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteUserSecret: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                app_id: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecretDeletedResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope secrets:write; a service token needs the permission secrets */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getUserSecretMeta: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                app_id: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserSecret"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope secrets:read; a service token needs the permission secrets */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listMarketplaceApps: {
        parameters: {
            query?: {
                /** @description Apps with every one of these words, forms of a word and small typing errors included. */
                search?: string;
                /** @description A category by its id, label or an older spelling; one that neither the catalogue nor any app has is refused. */
                category?: string;
                /** @description Default: `relevance` for a search, otherwise `actions`. Without a search `relevance` is the same as `actions`. */
                sort?: "relevance" | "actions" | "installs" | "rating" | "newest" | "name";
                limit?: number;
                offset?: number;
                page?: number;
                per_page?: number;
            };
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MarketplaceApp"][];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope marketplace:read; a service token needs the permission marketplace */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getMarketplaceApp: {
        parameters: {
            query?: never;
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MarketplaceAppDetail"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope marketplace:read; a service token needs the permission marketplace */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getAppIcon: {
        parameters: {
            query?: never;
            header?: {
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listAppWebhooks: {
        parameters: {
            query?: never;
            header?: {
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MarketplaceWebhook"][];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listFeaturedApps: {
        parameters: {
            query?: {
                limit?: number;
            };
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MarketplaceApp"][];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope marketplace:read; a service token needs the permission marketplace */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listCategories: {
        parameters: {
            query?: never;
            header?: {
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MarketplaceCategory"][];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getCategoryCatalog: {
        parameters: {
            query?: never;
            header?: {
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MarketplaceCategoryEntry"][];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getMarketplaceDeveloper: {
        parameters: {
            query?: never;
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                developer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MarketplaceDeveloper"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope marketplace:read; a service token needs the permission marketplace */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listReviews: {
        parameters: {
            query?: {
                sort?: "helpful" | "newest" | "oldest" | "highest" | "lowest";
                page?: number;
                per_page?: number;
            };
            header?: {
                /** @description The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing. */
                "X-Acting-User"?: components["parameters"]["ActingUser"];
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewPageResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope marketplace:read; a service token needs the permission marketplace */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    createReview: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                app_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "rating": 5,
                 *       "title": "Just works",
                 *       "body": "Saves me an hour every Monday."
                 *     }
                 */
                "application/json": components["schemas"]["ReviewCreate"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope marketplace:write; a service token needs the permission marketplace */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    updateReview: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                review_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "rating": 5,
                 *       "title": "Just works",
                 *       "body": "Saves me an hour every Monday."
                 *     }
                 */
                "application/json": components["schemas"]["ReviewUpdate"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope marketplace:write; a service token needs the permission marketplace */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteReview: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                review_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedReviewResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope marketplace:write; a service token needs the permission marketplace */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    voteOnReview: {
        parameters: {
            query?: {
                /** @description The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`. */
                user_id?: string;
            };
            header?: {
                /** @description A session of the user in `X-Acting-User`: 401 when it has ended. */
                "X-Acting-Session"?: components["parameters"]["ActingSession"];
                /** @description An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                review_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "helpful": true
                 *     }
                 */
                "application/json": components["schemas"]["ReviewVoteRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewVoteResponse"];
                };
            };
            /** @description The credential is missing or not accepted */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The caller may not do this; an API key needs the scope marketplace:write; a service token needs the permission marketplace */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The input does not validate */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description Any other failure */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
}
