/** The bytes of the module, for WebAssembly.Module. */
declare const program: Uint8Array<ArrayBuffer>;
export default program;
