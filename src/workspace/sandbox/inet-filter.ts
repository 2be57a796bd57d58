/**
 * A seccomp program for `network: none`: `socket()` succeeds for local families only. It closes the
 * sandbox's own loopback; the outside is already closed by the network namespace, which is why a foreign
 * system-call table (32-bit programs) is let through.
 */
const TABLES: Readonly<Record<string, { audit: number; socket: number }>> = {
  x64: { audit: 0xc000003e, socket: 41 },
  arm64: { audit: 0xc00000b7, socket: 198 },
};

const LOAD = 0x20;
const JUMP_EQUAL = 0x15;
const RETURN = 0x06;
const ALLOW = 0x7fff0000;
const REFUSE_EAFNOSUPPORT = 0x00050000 | 97;
const AF_UNIX = 1;
const AF_NETLINK = 16;

/** Offsets in `struct seccomp_data`. */
const NUMBER = 0;
const ARCHITECTURE = 4;
const FIRST_ARGUMENT = 16;

/** Compiled filter for `process.arch`, or null where the architecture is not known. */
export function inetFilter(arch: string): Uint8Array | null {
  const table = TABLES[arch];
  if (table === undefined) return null;
  return assemble([
    [LOAD, 0, 0, ARCHITECTURE],
    [JUMP_EQUAL, 0, 6, table.audit],
    [LOAD, 0, 0, NUMBER],
    [JUMP_EQUAL, 0, 4, table.socket],
    [LOAD, 0, 0, FIRST_ARGUMENT],
    [JUMP_EQUAL, 2, 0, AF_UNIX],
    [JUMP_EQUAL, 1, 0, AF_NETLINK],
    [RETURN, 0, 0, REFUSE_EAFNOSUPPORT],
    [RETURN, 0, 0, ALLOW],
  ]);
}

/** `struct sock_filter`: 16-bit code, two 8-bit jumps, 32-bit operand, little-endian on both machines. */
function assemble(lines: readonly (readonly [number, number, number, number])[]): Uint8Array {
  const bytes = new Uint8Array(lines.length * 8);
  const view = new DataView(bytes.buffer);
  lines.forEach(([code, ifTrue, ifFalse, operand], index) => {
    view.setUint16(index * 8, code, true);
    view.setUint8(index * 8 + 2, ifTrue);
    view.setUint8(index * 8 + 3, ifFalse);
    view.setUint32(index * 8 + 4, operand, true);
  });
  return bytes;
}
