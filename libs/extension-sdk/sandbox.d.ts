// Globals of the sandbox in addition to the language, as listed in docs/code-handlers.md.
// Extensions are type-checked against this file.
declare const console: Record<'log' | 'info' | 'debug' | 'warn' | 'error', (...values: unknown[]) => void>;
// Same type as in browsers: `setTimeout(resolve, 100)` in a promise passes a function of one value.
declare function setTimeout(run: (...values: any[]) => void, ms?: number, ...values: unknown[]): number;
declare function clearTimeout(id: number | undefined): void;
declare const crypto: {
  randomUUID(): string;
  getRandomValues<Values extends Uint8Array | Int8Array | Uint16Array | Int16Array | Uint32Array | Int32Array>(
    values: Values,
  ): Values;
};
declare class TextEncoder {
  readonly encoding: 'utf-8';
  encode(text?: string): Uint8Array<ArrayBuffer>;
}
declare class TextDecoder {
  constructor(encoding?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  readonly encoding: string;
  decode(bytes?: ArrayBufferView | ArrayBuffer): string;
}
declare function atob(text: string): string;
declare function btoa(text: string): string;
declare const ExtensionError: typeof import('./types/extension-sdk/index.js').ExtensionError;
