// A QR code (ISO/IEC 18004) of a text: byte mode, error correction L, the smallest version that holds it.
// Correction bytes a block, and blocks, of versions 1 to 40 at level L.
const CORRECTION = [7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28, 28, 28, 30, 30, 26, 28, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30];
const BLOCKS = [1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8, 8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17, 18, 19, 19, 20, 21, 22, 24, 25];
export const MOST_BYTES = 2300;

// Modules that are free for data: all but the patterns that every code has.
function capacity(version) {
  let bits = (16 * version + 128) * version + 64;
  if (version >= 2) {
    const marks = Math.floor(version / 7) + 2;
    bits -= (25 * marks - 10) * marks - 55;
    if (version >= 7) bits -= 36;
  }
  return bits >> 3;
}

const dataBytes = (version) => capacity(version) - CORRECTION[version - 1] * BLOCKS[version - 1];

export function qrCode(text) {
  const bytes = [...new TextEncoder().encode(text)];
  let version = 1;
  while (dataBytes(version) < bytes.length + (version < 10 ? 2 : 3)) version += 1;
  const words = interleaved(version, packed(version, bytes));
  const codes = Array.from({ length: 8 }, (_, mask) => drawn(version, words, mask));
  return codes.reduce((best, code) => (penalty(code) < penalty(best) ? code : best));
}

function packed(version, bytes) {
  const bits = [];
  const push = (value, length) => {
    for (let i = length - 1; i >= 0; i -= 1) bits.push((value >> i) & 1);
  };
  push(4, 4);
  push(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) push(byte, 8);
  const room = dataBytes(version) * 8;
  push(0, Math.min(4, room - bits.length));
  while (bits.length % 8) bits.push(0);
  for (let pad = 0xec; bits.length < room; pad ^= 0xec ^ 0x11) push(pad, 8);
  return Array.from({ length: bits.length / 8 }, (_, i) => bits.slice(8 * i, 8 * i + 8).reduce((sum, bit) => 2 * sum + bit, 0));
}

// Multiplication in the field of 256 elements.
function times(a, b) {
  let product = 0;
  for (let i = 7; i >= 0; i -= 1) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    product ^= ((b >> i) & 1) * a;
  }
  return product;
}

function correction(data, degree) {
  let divisor = [...Array(degree - 1).fill(0), 1];
  let root = 1;
  for (let i = 0; i < degree; i += 1) {
    divisor = divisor.map((value, j) => times(value, root) ^ (divisor[j + 1] ?? 0));
    root = times(root, 2);
  }
  let rest = Array(degree).fill(0);
  for (const byte of data) {
    const factor = byte ^ rest[0];
    rest = [...rest.slice(1), 0].map((value, i) => value ^ times(divisor[i], factor));
  }
  return rest;
}

function interleaved(version, data) {
  const [count, extra] = [BLOCKS[version - 1], CORRECTION[version - 1]];
  const whole = capacity(version);
  const short = Math.floor(whole / count) - extra;
  const longer = count - (whole % count);
  const blocks = [];
  for (let i = 0, at = 0; i < count; i += 1) {
    const size = short + (i < longer ? 0 : 1);
    blocks.push(data.slice(at, at + size));
    at += size;
  }
  const across = (lists, most) => Array.from({ length: most }, (_, i) => lists.filter((list) => i < list.length).map((list) => list[i])).flat();
  return [...across(blocks, short + 1), ...across(blocks.map((block) => correction(block, extra)), extra)];
}

function alignment(version, size) {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = version === 32 ? 26 : Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2;
  return [6, ...Array.from({ length: count - 1 }, (_, i) => size - 7 - (count - 2 - i) * step)];
}

const MASKS = [
  (x, y) => (x + y) % 2, (_, y) => y % 2, (x) => x % 3, (x, y) => (x + y) % 3,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2, (x, y) => ((x * y) % 2) + ((x * y) % 3),
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2, (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2,
];

function drawn(version, words, mask) {
  const size = 4 * version + 17;
  const code = Array.from({ length: size }, () => Array(size).fill(null));
  const set = (x, y, on) => {
    if (x >= 0 && y >= 0 && x < size && y < size) code[y][x] = Boolean(on);
  };
  for (let i = 0; i < size; i += 1) {
    set(6, i, i % 2 === 0);
    set(i, 6, i % 2 === 0);
  }
  const marks = alignment(version, size);
  for (const x of marks) {
    for (const y of marks) {
      if ((x === 6 && y === 6) || (x === 6 && y === size - 7) || (x === size - 7 && y === 6)) continue;
      for (let i = -2; i <= 2; i += 1) for (let j = -2; j <= 2; j += 1) set(x + i, y + j, Math.max(Math.abs(i), Math.abs(j)) !== 1);
    }
  }
  for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]]) {
    for (let i = -4; i <= 4; i += 1) for (let j = -4; j <= 4; j += 1) set(x + i, y + j, ![2, 4].includes(Math.max(Math.abs(i), Math.abs(j))));
  }
  format(version, mask, size, set);
  let at = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    for (let i = 0; i < size; i += 1) {
      for (const x of [right, right - 1]) {
        const y = ((right + 1) & 2) === 0 ? size - 1 - i : i;
        if (code[y][x] !== null) continue;
        const bit = at < 8 * words.length ? (words[at >> 3] >> (7 - (at & 7))) & 1 : 0;
        code[y][x] = Boolean(bit ^ (MASKS[mask](x, y) === 0 ? 1 : 0));
        at += 1;
      }
    }
  }
  return code;
}

function format(version, mask, size, set) {
  const data = (1 << 3) | mask; // level L
  let rest = data;
  for (let i = 0; i < 10; i += 1) rest = (rest << 1) ^ ((rest >> 9) * 0x537);
  const bits = ((data << 10) | rest) ^ 0x5412;
  const bit = (i) => (bits >> i) & 1;
  for (let i = 0; i <= 5; i += 1) set(8, i, bit(i));
  set(8, 7, bit(6));
  set(8, 8, bit(7));
  set(7, 8, bit(8));
  for (let i = 9; i < 15; i += 1) set(14 - i, 8, bit(i));
  for (let i = 0; i < 8; i += 1) set(size - 1 - i, 8, bit(i));
  for (let i = 8; i < 15; i += 1) set(8, size - 15 + i, bit(i));
  set(8, size - 8, 1);
  if (version < 7) return;
  let check = version;
  for (let i = 0; i < 12; i += 1) check = (check << 1) ^ ((check >> 11) * 0x1f25);
  const about = (version << 12) | check;
  for (let i = 0; i < 18; i += 1) {
    const [far, near] = [size - 11 + (i % 3), Math.floor(i / 3)];
    set(far, near, (about >> i) & 1);
    set(near, far, (about >> i) & 1);
  }
}

// How hard a code is to read: long runs, squares of one colour, and too much of it dark.
function penalty(code) {
  const size = code.length;
  let sum = 0;
  for (const lines of [code, code[0].map((_, x) => code.map((row) => row[x]))]) {
    for (const line of lines) {
      let length = 0;
      line.forEach((on, i) => {
        length = i > 0 && on === line[i - 1] ? length + 1 : 1;
        if (length === 5) sum += 3;
        else if (length > 5) sum += 1;
      });
    }
  }
  for (let y = 1; y < size; y += 1) {
    for (let x = 1; x < size; x += 1) {
      if (code[y][x] === code[y - 1][x] && code[y][x] === code[y][x - 1] && code[y][x] === code[y - 1][x - 1]) sum += 3;
    }
  }
  const dark = code.flat().filter(Boolean).length;
  return sum + 10 * Math.floor(Math.abs((20 * dark) / (size * size) - 10));
}
