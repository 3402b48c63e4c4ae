// What handlers find beside the language, as docs/code-handlers.md lists it: types of extensions are checked against this.
declare const console: Record<'log' | 'info' | 'debug' | 'warn' | 'error', (...values: unknown[]) => void>;
// As browsers type it: `setTimeout(resolve, 100)` of a promise takes a function of one value
declare function setTimeout(run: (...values: any[]) => void, ms?: number, ...values: unknown[]): number;
declare function clearTimeout(id: number | undefined): void;
declare const crypto: {
  randomUUID(): string;
  getRandomValues<Values extends Uint8Array | Int8Array | Uint16Array | Int16Array | Uint32Array | Int32Array>(values: Values): Values;
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
