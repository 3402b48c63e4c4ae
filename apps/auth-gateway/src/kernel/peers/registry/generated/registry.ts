// Written by `npm run openapi` from docs/openapi/registry.json. Changes here are lost.
export interface paths {
    "/v1/apps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The apps of one status, by id
         * @description The apps of one status, by id. A user sees those that are active, and their own.
         */
        get: operations["listApps"];
        put?: never;
        /**
         * Registers an app
         * @description Registers an app. It is `active` unless the request says otherwise, and serves no version before one is pushed.
         */
        post: operations["createApp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/apps/{app_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An app */
        get: operations["getApp"];
        /**
         * Changes what is given
         * @description Changes what is given. `version` moves what is served to another version that is held.
         */
        put: operations["updateApp"];
        post?: never;
        /**
         * Removes an app with its manifests and settings
         * @description Removes an app with its manifests and settings. Whoever had it installed has not any more.
         */
        delete: operations["deleteApp"];
        options?: never;
        head?: never;
        /** The same as PUT */
        patch: operations["patchApp"];
        trace?: never;
    };
    "/v1/apps/{app_id}/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The manifest that is served, or that of a version that is held */
        get: operations["getTools"];
        /**
         * Replaces the manifest of a version, and serves it unless release is false
         * @description Replaces the manifest of a version, and serves it unless `release` is false. The manifests of the 50 versions that were pushed last are held, and the served one.
         */
        put: operations["putTools"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/apps/{app_id}/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The runtime settings of an app, {} at first
         * @description The runtime settings of an app, `{}` at first. Of `layers` an administrator of a tenant sees what that tenant says, trusted backends and administrators of the platform all, anybody else nothing.
         */
        get: operations["getSettings"];
        /**
         * Changes what the body names, at any depth, and keeps the rest (RFC 7396): null removes a key, a list is replaced whole
         * @description Changes what the body names, at any depth, and keeps the rest (RFC 7396): null removes a key, a list is replaced whole. The app's developer changes everything but `layers`, an administrator of a tenant `layers.tenants.{tenant_id}` of theirs, the platform all. At most 64 KiB, and 16 KiB more for each tenant; a key that names a secret is refused.
         */
        put: operations["updateSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/catalog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What a user has installed, with the manifest that each app serves: what a session begins with */
        get: operations["getCatalog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/catalog/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The functions of the apps that a user has installed, by app and name
         * @description The functions of the apps that a user has installed, by app and name. A trusted backend that names no user gets those of every active app.
         */
        get: operations["listCatalogTools"];
        put?: never;
        post?: never;
        delete?: never;
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
        /** What a user has installed, in the order in which they did */
        get: operations["listInstalls"];
        put?: never;
        /**
         * Registers an install
         * @description Registers an install. Whether the app may be installed is the gateway's to decide.
         */
        post: operations["registerInstall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/{user_id}/extensions/{app_id}": {
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
         * Removes an install
         * @description Removes an install. Again, it answers the same.
         */
        delete: operations["removeInstall"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the registry can serve
         * @description Whether the registry can serve. While it cannot it answers 503, and `checks` says what is missing.
         */
        get: operations["health[0]"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the registry can serve
         * @description Whether the registry can serve. While it cannot it answers 503, and `checks` says what is missing.
         */
        get: operations["health[1]"];
        put?: never;
        post?: never;
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
        RegistryToolSummary: {
            /** @enum {string} */
            action_type: "read" | "write" | "destructive";
            name: string;
        };
        RegistryApp: {
            /** @enum {string} */
            status: "draft" | "pending_review" | "active" | "suspended";
            app_id: string;
            display_name: string;
            /** @description The same as `display_name`. */
            name: string;
            description: string;
            category: string;
            /** @description The version whose manifest is served; null before there is one. */
            version: string | null;
            /** @description Null: nobody's in particular. */
            owner_id: string | null;
            required_scopes: string[];
            config: {
                [key: string]: unknown;
            };
            /** @description The functions of the served version; `GET …/tools` says more of them. */
            tools: components["schemas"]["RegistryToolSummary"][];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        CreateRegistryAppRequest: {
            /** @example Invoices */
            display_name?: string | null;
            /**
             * @description The same as `display_name`, which wins where both are given.
             * @example Invoices
             */
            name?: string | null;
            description?: string | null;
            category?: string | null;
            /**
             * @description Only from trusted backends and administrators of the platform.
             * @example usr_01h455vb4pex5vsknk084sn02q
             */
            owner_id?: string | null;
            /**
             * @description Only from trusted backends and administrators of the platform.
             * @enum {string|null}
             */
            status?: "draft" | "pending_review" | "active" | "suspended" | null;
            required_scopes?: string[] | null;
            /** @description Whatever the app's own machinery wants to find here. Replaced whole; null is the same as `{}`. */
            config?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description For good: it cannot be changed.
             * @example invoices
             */
            app_id: string;
        };
        UpdateRegistryAppRequest: {
            /** @example Invoices */
            display_name?: string | null;
            /**
             * @description The same as `display_name`, which wins where both are given.
             * @example Invoices
             */
            name?: string | null;
            description?: string | null;
            category?: string | null;
            /**
             * @description Only from trusted backends and administrators of the platform.
             * @example usr_01h455vb4pex5vsknk084sn02q
             */
            owner_id?: string | null;
            /**
             * @description Only from trusted backends and administrators of the platform.
             * @enum {string|null}
             */
            status?: "draft" | "pending_review" | "active" | "suspended" | null;
            required_scopes?: string[] | null;
            /** @description Whatever the app's own machinery wants to find here. Replaced whole; null is the same as `{}`. */
            config?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description The version to serve from now on, of those whose manifests are held.
             * @example 1.2.0
             */
            version?: string | null;
        };
        DeleteRegistryAppResponse: {
            /** @description How many users had it installed. */
            installs_removed: number;
            app_id: string;
            /** @example deleted */
            status: string;
        };
        RegistryTool: {
            /** @enum {string} */
            action_type: "read" | "write" | "destructive";
            return_schema: {
                [key: string]: unknown;
            } | null;
            name: string;
            description: string;
            params_schema: {
                [key: string]: unknown;
            };
            required_scopes: string[];
            /** @description Only where it was pushed. */
            activity?: string;
            /** @description Only where they were pushed. */
            domains?: string[];
        };
        RegistrySkeletonSection: {
            /** @description Seconds. */
            ttl: number;
            section_name: string;
            refresh_activity: string;
            alert_activity: string | null;
            alert_on_change: boolean;
        };
        ToolManifestResponse: {
            app_id: string;
            /** @description Null, with two empty lists, when the app serves no version yet. */
            version: string | null;
            tools: components["schemas"]["RegistryTool"][];
            skeleton_sections: components["schemas"]["RegistrySkeletonSection"][];
        };
        PushedTool: {
            name: string;
            description?: string;
            /**
             * @description Who does not say is taken for `destructive`.
             * @default destructive
             * @enum {string}
             */
            action_type?: "read" | "write" | "destructive";
            /** @description JSON Schema 2020-12 of the params. */
            params_schema?: {
                [key: string]: unknown;
            };
            return_schema?: {
                [key: string]: unknown;
            } | null;
            required_scopes?: string[];
            /** @description The name of the activity that runs it, where a worker has one. */
            activity?: string;
            domains?: string[];
        };
        PushedSection: {
            section_name?: string;
            /** @description The same as `section_name`, which wins where both are given. */
            name?: string;
            refresh_activity: string;
            alert_activity?: string | null;
            /**
             * @description Seconds.
             * @default 300
             */
            ttl?: number;
            alert_on_change?: boolean;
        };
        PutToolsRequest: {
            tools: components["schemas"]["PushedTool"][];
            skeleton_sections: components["schemas"]["PushedSection"][];
            /** @description As in what is read; the app of the path. */
            app_id?: string;
            /**
             * @description Absent: the version that is served, or `0.0.0` where there is none.
             * @example 1.2.0
             */
            version?: string | null;
            /**
             * @description False: hold the manifest without serving it. It then needs a `version`, and not the one that is served. What the owner of an app pushes is
             *     held in any case: deploys serve.
             * @default true
             */
            release?: boolean;
        };
        PutToolsResponse: {
            tools_registered: number;
            skeleton_sections_registered: number;
            app_id: string;
            version: string;
            /** @description Whether this version is served now. */
            released: boolean;
        };
        CatalogApp: {
            app_id: string;
            name: string;
            description: string;
            version: string;
            category: string;
            tools: components["schemas"]["RegistryTool"][];
            skeleton_sections: components["schemas"]["RegistrySkeletonSection"][];
        };
        CatalogResponse: {
            user_id: string;
            /** @description The active apps that the user has installed and that serve a version, by id. */
            apps: components["schemas"]["CatalogApp"][];
        };
        CatalogTool: {
            /** @enum {string} */
            action_type: "read" | "write" | "destructive";
            app_id: string;
            name: string;
            description: string;
            params_schema: {
                [key: string]: unknown;
            };
        };
        InstallKey: {
            id: string;
            /** @description What the key was given. */
            scopes: string[];
        };
        RegistryInstall: {
            /** @description Grows with every change of any install: of two states of the same install the one with the higher revision is newer. */
            revision: number;
            user_id: string;
            app_id: string;
            /** Format: date-time */
            installed_at: string;
            /** @example installed */
            status: string;
            config: {
                [key: string]: unknown;
            };
            /** @description The API key that registered it, with which it ends unless the user agrees at the gateway; null for a trusted backend. */
            changed_by: components["schemas"]["InstallKey"] | null;
        };
        RegisterInstallRequest: {
            /** @example invoices */
            app_id: string;
            /** @description What the user set for this app. Absent: as it was, `{}` at first. */
            config?: {
                [key: string]: unknown;
            } | null;
        };
        RemovedInstall: {
            revision: number;
            user_id: string;
            app_id: string;
            /** @example removed */
            status: string;
            /** Format: date-time */
            removed_at: string;
            /** @description The API key that removed it; null for a trusted backend. */
            changed_by: components["schemas"]["InstallKey"] | null;
        };
        InstallChange: {
            revision: number;
            user_id: string;
            app_id: string;
            installed: boolean;
            /** Format: date-time */
            installed_at: string;
            /** Format: date-time */
            removed_at: string | null;
            /** @description The API key that registered or removed it; null for a trusted backend. */
            changed_by: components["schemas"]["InstallKey"] | null;
        };
        InstallChangesResponse: {
            /** @description Where to continue: every change up to this revision has been told. */
            next_after: number;
            /** @description By revision. */
            changes: components["schemas"]["InstallChange"][];
            /** @description False when nothing is left. */
            has_more: boolean;
        };
        HealthResponse: {
            /**
             * @example ok
             * @enum {string}
             */
            status: "ok";
            /**
             * @description Of the database: it answers, and every migration is applied.
             * @example ok
             * @enum {string}
             */
            database: "ok";
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
        /** @description Seconds after which another attempt may be worth it. On every 429, and on a 503. */
        "Retry-After": number;
        /** @description What credential is asked for, and what is wrong with the one that came (RFC 6750). */
        "WWW-Authenticate": string;
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
export type RegistryToolSummary = components['schemas']['RegistryToolSummary'];
export type RegistryApp = components['schemas']['RegistryApp'];
export type CreateRegistryAppRequest = components['schemas']['CreateRegistryAppRequest'];
export type UpdateRegistryAppRequest = components['schemas']['UpdateRegistryAppRequest'];
export type DeleteRegistryAppResponse = components['schemas']['DeleteRegistryAppResponse'];
export type RegistryTool = components['schemas']['RegistryTool'];
export type RegistrySkeletonSection = components['schemas']['RegistrySkeletonSection'];
export type ToolManifestResponse = components['schemas']['ToolManifestResponse'];
export type PushedTool = components['schemas']['PushedTool'];
export type PushedSection = components['schemas']['PushedSection'];
export type PutToolsRequest = components['schemas']['PutToolsRequest'];
export type PutToolsResponse = components['schemas']['PutToolsResponse'];
export type CatalogApp = components['schemas']['CatalogApp'];
export type CatalogResponse = components['schemas']['CatalogResponse'];
export type CatalogTool = components['schemas']['CatalogTool'];
export type InstallKey = components['schemas']['InstallKey'];
export type RegistryInstall = components['schemas']['RegistryInstall'];
export type RegisterInstallRequest = components['schemas']['RegisterInstallRequest'];
export type RemovedInstall = components['schemas']['RemovedInstall'];
export type InstallChange = components['schemas']['InstallChange'];
export type InstallChangesResponse = components['schemas']['InstallChangesResponse'];
export type HealthResponse = components['schemas']['HealthResponse'];
export type ErrorResponse = components['schemas']['ErrorResponse'];
export type HttpValidationError = components['schemas']['HTTPValidationError'];
export type ValidationError = components['schemas']['ValidationError'];
export type ParameterRequestId = components['parameters']['RequestId'];
export type ParameterActingUser = components['parameters']['ActingUser'];
export type ParameterActingSession = components['parameters']['ActingSession'];
export type HeaderXRequestId = components['headers']['X-Request-Id'];
export type HeaderRetryAfter = components['headers']['Retry-After'];
export type HeaderWwwAuthenticate = components['headers']['WWW-Authenticate'];
export type HeaderETag = components['headers']['ETag'];
export type HeaderDeprecation = components['headers']['Deprecation'];
export type HeaderRateLimit = components['headers']['RateLimit'];
export type HeaderRateLimitPolicy = components['headers']['RateLimit-Policy'];
export type $defs = Record<string, never>;
export interface operations {
    listApps: {
        parameters: {
            query?: {
                owner_id?: string;
                status?: "draft" | "pending_review" | "active" | "suspended" | "all";
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
                    "application/json": components["schemas"]["RegistryApp"][];
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
            /** @description The caller may not do this; an API key needs the scope apps:read; a service token needs the permission catalog */
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
                 *       "app_id": "invoices",
                 *       "display_name": "Invoices",
                 *       "category": "finance"
                 *     }
                 */
                "application/json": components["schemas"]["CreateRegistryAppRequest"];
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
                    "application/json": components["schemas"]["RegistryApp"];
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
            /** @description The caller may not do this; an API key needs the scope apps:write; a service token needs the permission catalog-write */
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
    getApp: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that the caller still has. */
                "If-None-Match"?: string;
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
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegistryApp"];
                };
            };
            /** @description The caller has it already */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
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
            /** @description The caller may not do this; an API key needs the scope apps:read; a service token needs the permission catalog */
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
            query?: never;
            header?: {
                /** @description The `ETag` of the state that the change is meant for. */
                "If-Match"?: string;
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
                 *       "display_name": "Invoices",
                 *       "version": "1.2.0"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateRegistryAppRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegistryApp"];
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
            /** @description The caller may not do this; an API key needs the scope apps:write; a service token needs the permission catalog-write */
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
            /** @description The state is another one now */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
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
    deleteApp: {
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
                    "application/json": components["schemas"]["DeleteRegistryAppResponse"];
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
            /** @description The caller may not do this; an API key needs the scope apps:write; a service token needs the permission catalog-write */
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
    patchApp: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the state that the change is meant for. */
                "If-Match"?: string;
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
                 *       "display_name": "Invoices",
                 *       "version": "1.2.0"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateRegistryAppRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegistryApp"];
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
            /** @description The caller may not do this; an API key needs the scope apps:write; a service token needs the permission catalog-write */
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
            /** @description The state is another one now */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
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
    getTools: {
        parameters: {
            query?: {
                /** @description Absent: the version that is served. */
                version?: string;
            };
            header?: {
                /** @description The `ETag` of an answer that the caller still has. */
                "If-None-Match"?: string;
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
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolManifestResponse"];
                };
            };
            /** @description The caller has it already */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
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
            /** @description The caller may not do this; an API key needs the scope apps:read; a service token needs the permission catalog */
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
    putTools: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the state that the change is meant for. */
                "If-Match"?: string;
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
                 *       "tools": [
                 *         {
                 *           "name": "create_invoice",
                 *           "description": "Writes an invoice.",
                 *           "action_type": "write",
                 *           "params_schema": {
                 *             "type": "object"
                 *           }
                 *         }
                 *       ],
                 *       "skeleton_sections": [
                 *         {
                 *           "section_name": "open_invoices",
                 *           "refresh_activity": "invoices.refresh",
                 *           "ttl": 300
                 *         }
                 *       ],
                 *       "version": "1.2.0"
                 *     }
                 */
                "application/json": components["schemas"]["PutToolsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PutToolsResponse"];
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
            /** @description The caller may not do this; an API key needs the scope apps:write; a service token needs the permission catalog-write */
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
            /** @description The state is another one now */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
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
    getSettings: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that the caller still has. */
                "If-None-Match"?: string;
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
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The caller has it already */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
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
            /** @description The caller may not do this; an API key needs the scope apps:read; a service token needs the permission catalog */
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
    updateSettings: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the state that the change is meant for. */
                "If-Match"?: string;
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
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
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
            /** @description The caller may not do this; an API key needs the scope apps:write; a service token needs the permission catalog-write */
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
            /** @description The state is another one now */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
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
    getCatalog: {
        parameters: {
            query?: {
                /** @description A platform id. A user may leave out their own. */
                user_id?: string;
            };
            header?: {
                /** @description The `ETag` of an answer that the caller still has. */
                "If-None-Match"?: string;
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
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogResponse"];
                };
            };
            /** @description The caller has it already */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
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
            /** @description The caller may not do this; an API key needs the scope apps:read; a service token needs the permission catalog */
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
    listCatalogTools: {
        parameters: {
            query?: {
                /** @description A platform id. A user may leave out their own. */
                user_id?: string;
                after_app_id?: string;
                after_name?: string;
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
                    "application/json": components["schemas"]["CatalogTool"][];
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
            /** @description The caller may not do this; an API key needs the scope apps:read; a service token needs the permission catalog */
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
    listInstalls: {
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
                    "application/json": components["schemas"]["RegistryInstall"][];
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
            /** @description The caller may not do this; an API key needs the scope installs:read; a service token needs the permission installs */
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
    registerInstall: {
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
                "application/json": components["schemas"]["RegisterInstallRequest"];
            };
        };
        responses: {
            /** @description The user had it already */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegistryInstall"];
                };
            };
            /** @description Success */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegistryInstall"];
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
            /** @description The caller may not do this; an API key needs the scope installs:write; a service token needs the permission installs */
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
    removeInstall: {
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
                    "application/json": components["schemas"]["RemovedInstall"];
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
            /** @description The caller may not do this; an API key needs the scope installs:write; a service token needs the permission installs */
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
    "health[0]": {
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
                    "application/json": components["schemas"]["HealthResponse"];
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
    "health[1]": {
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
                    "application/json": components["schemas"]["HealthResponse"];
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
