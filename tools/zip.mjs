/** Writes a zip archive: deflate where it helps, stored where it does not. Small enough to need no library. */
import { crc32, deflateRawSync } from 'node:zlib';

/** 1 January 2026 in the format of the archive: the same content gives the same file. */
const DATE = ((2026 - 1980) << 9) | (1 << 5) | 1;
/** Names are UTF-8. */
const FLAGS = 0x0800;
const VERSION = 20;

/**
 * @param {readonly { name: string; content: Uint8Array }[]} files Names with forward slashes; at most 65,535 files and
 *   4 GB in all.
 * @returns {Buffer}
 */
export function zip(files) {
  /** @type {Buffer[]} */
  const parts = [];
  /** @type {Buffer[]} */
  const directory = [];
  let offset = 0;
  for (const { name, content } of files) {
    const nameBytes = Buffer.from(name);
    const deflated = deflateRawSync(content, { level: 9 });
    const stored = deflated.length >= content.length;
    const data = stored ? Buffer.from(content) : deflated;
    const common = Buffer.alloc(26);
    common.writeUInt16LE(VERSION, 0);
    common.writeUInt16LE(FLAGS, 2);
    common.writeUInt16LE(stored ? 0 : 8, 4);
    common.writeUInt16LE(0, 6);
    common.writeUInt16LE(DATE, 8);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(nameBytes.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, nameBytes, data]);
    const entry = Buffer.alloc(14);
    // Attributes: a plain file that its owner may write (Unix 0644).
    entry.writeUInt32LE((0o100644 << 16) >>> 0, 6);
    entry.writeUInt32LE(offset, 10);
    const made = Buffer.from([VERSION, 3]);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02', 'latin1'), made, common, entry, nameBytes]));
    parts.push(local);
    offset += local.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(size, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, ...directory, Buffer.from('PK\x05\x06', 'latin1'), end]);
}
