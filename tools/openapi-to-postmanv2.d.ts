/** The part of the package that we use; it contains no types. */
declare module 'openapi-to-postmanv2' {
  export function convertV2(
    input: { type: 'json'; data: object },
    options: Record<string, unknown>,
    done: (
      error: Error | null,
      result: { result: boolean; reason?: string; output?: { type: 'collection'; data: object }[] },
    ) => void,
  ): void;
}
