/** Of the apps that the platform brings or may bring, and of what their events could be mistaken for. */
const RESERVED = new Set(
  `admin automations billing developer gateway kernel marketplace mcp notifications panel platform rbac registry system users wallet
  webhook webhooks`.split(/\s+/),
);

export const isReservedAppId = (appId: string): boolean => RESERVED.has(appId);
