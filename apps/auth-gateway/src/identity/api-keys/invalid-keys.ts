/**
 * Makes an SQL condition that is true if at least one of the API keys that `key` names, in `id` or
 * `others`, was deleted or has expired. It is false, never null, if `key` is null or names no key.
 *
 * @param key SQL expression for a `OriginKey` as jsonb, or null.
 */
export const keyIsInvalid = (key: string): string => `EXISTS (
  SELECT FROM jsonb_array_elements_text(jsonb_build_array(${key} -> 'id') || coalesce(${key} -> 'others', '[]')) AS named (id)
  WHERE named.id IS NOT NULL AND NOT EXISTS (
    SELECT FROM api_keys WHERE api_keys.id = named.id AND (api_keys.expires_at IS NULL OR api_keys.expires_at > now())))`;
