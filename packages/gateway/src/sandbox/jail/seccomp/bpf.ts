import { endianness } from 'node:os';

/** One instruction of classic BPF: `struct sock_filter`. */
export interface Instruction {
  readonly code: number;
  readonly whenTrue: number;
  readonly whenFalse: number;
  readonly value: number;
}

const LOAD_WORD = 0x20;
const JUMP_EQUAL = 0x15;
const JUMP_AT_LEAST = 0x35;
const JUMP_ANY_BIT = 0x45;
const AND = 0x54;
const RETURN = 0x06;

const RET_KILL_PROCESS = 0x8000_0000;
const RET_ERRNO = 0x0005_0000;
const RET_ALLOW = 0x7fff_0000;

const OFFSET_NUMBER = 0;
const OFFSET_ARCH = 4;
const OFFSET_ARGS = 16;

const step = (code: number, value: number, whenTrue = 0, whenFalse = 0): Instruction => ({
  code,
  whenTrue,
  whenFalse,
  value,
});

export const loadNumber = (): Instruction => step(LOAD_WORD, OFFSET_NUMBER);
export const loadArch = (): Instruction => step(LOAD_WORD, OFFSET_ARCH);

/**
 * The low half of an argument. SECURITY: what is tested here the kernel takes as 32 bits as well; a test of all
 * 64 would be passed by setting a high bit that the kernel ignores.
 */
export const loadArgument = (index: number): Instruction => step(LOAD_WORD, OFFSET_ARGS + 8 * index);

/** Keeps only these bits of the loaded word. */
export const keepBits = (mask: number): Instruction => step(AND, mask);

export const allow = (): Instruction => step(RETURN, RET_ALLOW);
export const kill = (): Instruction => step(RETURN, RET_KILL_PROCESS);
export const fail = (errno: number): Instruction => step(RETURN, RET_ERRNO | errno);

/** Runs `then` when the loaded word equals `value`, else goes on behind it. */
export const ifEqual = (value: number, then: readonly Instruction[]): readonly Instruction[] => [
  step(JUMP_EQUAL, value, 0, offset(then)),
  ...then,
];

export const unlessEqual = (value: number, then: readonly Instruction[]): readonly Instruction[] => [
  step(JUMP_EQUAL, value, offset(then), 0),
  ...then,
];

export const ifAtLeast = (value: number, then: readonly Instruction[]): readonly Instruction[] => [
  step(JUMP_AT_LEAST, value, 0, offset(then)),
  ...then,
];

/** Runs `then` when any of the bits of `mask` is set. */
export const ifAnyBit = (mask: number, then: readonly Instruction[]): readonly Instruction[] => [
  step(JUMP_ANY_BIT, mask, 0, offset(then)),
  ...then,
];

/** As the kernel reads it: eight bytes for each instruction, in the machine's own byte order. */
export function assemble(program: readonly Instruction[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(program.length * 8));
  const little = endianness() === 'LE';
  program.forEach(({ code, whenTrue, whenFalse, value }, index) => {
    bytes.setUint16(index * 8, code, little);
    bytes.setUint8(index * 8 + 2, whenTrue);
    bytes.setUint8(index * 8 + 3, whenFalse);
    bytes.setUint32(index * 8 + 4, value >>> 0, little);
  });
  return new Uint8Array(bytes.buffer);
}

function offset(then: readonly Instruction[]): number {
  if (then.length > 255) throw new RangeError('a jump of BPF reaches 255 instructions');
  return then.length;
}
