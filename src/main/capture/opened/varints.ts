/** Most bytes of one number. */
export const MAX_VARINT_BYTES = 8

/** Writes a whole number from 0 to 2^53 - 1, seven bits a byte, lowest first. Returns where the next one goes. */
export function putVarint(bytes: Uint8Array, at: number, value: number): number {
  let rest = value
  // Bits of greater numbers are not those that bitwise operators see.
  for (; rest > 0x7f_ff_ff_ff; rest = Math.floor(rest / 128)) bytes[at++] = (rest % 128) | 128
  for (; rest > 127; rest >>>= 7) bytes[at++] = (rest & 127) | 128
  bytes[at++] = rest
  return at
}

export function varintBytes(value: number): number {
  let bytes = 1
  for (let rest = value; rest > 127; rest = Math.floor(rest / 128)) bytes++
  return bytes
}

/** Reads numbers one by one. Past the end, they are 0. */
export class VarintReader {
  constructor(
    private readonly bytes: Uint8Array,
    private at: number,
    private readonly end: number,
  ) {}

  get done(): boolean {
    return this.at >= this.end
  }

  next(): number {
    let value = 0
    for (let scale = 1; this.at < this.end; scale *= 128) {
      const byte = this.bytes[this.at++] ?? 0
      value += (byte & 127) * scale
      if (byte < 128) break
    }
    return value
  }
}
