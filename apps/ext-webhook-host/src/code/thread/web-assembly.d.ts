/** The part of WebAssembly that the sandbox uses. The types of Node.js do not declare it. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Memory {
    /** Sizes in pages of 64 KiB. */
    constructor(descriptor: { initial: number; maximum: number });
    /** A new buffer after the memory has grown. */
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
}
