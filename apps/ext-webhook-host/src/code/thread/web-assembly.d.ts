/** The part of it that the sandbox uses: the types of Node.js leave it to those of browsers. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Memory {
    /** In pages of 64 KiB. */
    constructor(descriptor: { initial: number; maximum: number });
    /** Another one after it has grown. */
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
}
