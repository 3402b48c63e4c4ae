/** Of which `key`, an expression for a `GivenKey` or null as jsonb, names one that was deleted or has expired. One without an id is not known. */
export const keyIsGone = (key: string): string => `EXISTS (
  SELECT FROM jsonb_array_elements_text(jsonb_build_array(${key} -> 'id') || coalesce(${key} -> 'others', '[]')) AS named (id)
  WHERE named.id IS NOT NULL AND NOT EXISTS (
    SELECT FROM api_keys WHERE api_keys.id = named.id AND (api_keys.expires_at IS NULL OR api_keys.expires_at > now())))`;
