/**
 * SQL condition: true if `key` names a key that was deleted or has expired. `key` is an SQL
 * expression for a `GivenKey` as jsonb, or null. A key without an id is ignored.
 */
export const keyIsGone = (key: string): string => `EXISTS (
  SELECT FROM jsonb_array_elements_text(jsonb_build_array(${key} -> 'id') || coalesce(${key} -> 'others', '[]')) AS named (id)
  WHERE named.id IS NOT NULL AND NOT EXISTS (
    SELECT FROM api_keys WHERE api_keys.id = named.id AND (api_keys.expires_at IS NULL OR api_keys.expires_at > now())))`;
