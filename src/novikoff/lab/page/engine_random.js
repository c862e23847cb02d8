// The random numbers of NumPy's RandomState (MT19937), for the same shuffles as in Python.

export class Twister {
  constructor(seed) {
    this.state = new Uint32Array(624);
    this.at = 624;
    let x = seed >>> 0;
    for (let i = 0; i < 624; i += 1) {
      this.state[i] = x;
      x = (Math.imul(1812433253, x ^ (x >>> 30)) + i + 1) >>> 0;
    }
  }

  next() {
    const s = this.state;
    if (this.at === 624) {
      for (let i = 0; i < 624; i += 1) {
        const y = (s[i] & 0x80000000) | (s[(i + 1) % 624] & 0x7fffffff);
        s[i] = s[(i + 397) % 624] ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0);
      }
      this.at = 0;
    }
    let y = s[this.at];
    this.at += 1;
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    return (y ^ (y >>> 18)) >>> 0;
  }

  // A whole number from 0 to `most`.
  below(most) {
    if (most === 0) return 0;
    const mask = 2 ** (32 - Math.clz32(most)) - 1;
    for (;;) {
      const value = (this.next() & mask) >>> 0;
      if (value <= most) return value;
    }
  }
}

export function permutation(random, n) {
  const order = Array.from({ length: n }, (_, i) => i);
  for (let i = n - 1; i > 0; i -= 1) {
    const j = random.below(i);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

export const randomRows = (random, n) => Array.from({ length: n }, () => random.below(n - 1));
