const modes = (...numbers: readonly number[]): string =>
  numbers.map((number) => `\u001b[?${number}l`).join('');

/**
 * Takes a terminal out of every mode in which it sends something that nobody typed, or keys that no shell knows.
 *
 * A program that ends as it should has done all of this itself. One that was killed, or means harm, has not.
 */
export const QUIET_MODES = [
  // Out of whatever sequence it is in the middle of, and out of VT52, which knows none of the others.
  '\u0018\u001b\\\u001b<',
  // Drawing again, and on the screen that the shell is on.
  modes(2026, 1047),
  // Mouse in every form, focus, pasted text in brackets, arrows for the wheel
  modes(9, 1000, 1001, 1002, 1003, 1005, 1006, 1015, 1016, 1004, 2004, 1007),
  // Reports of size and colours, of pasted files; keys of Windows; cursor and number keys of applications
  modes(2048, 2031, 5522, 9001, 1, 66),
  '\u001b>',
  // Keys of kitty, however often they were put on its stack; keys of xterm; a locked keyboard; Enter as two characters
  '\u001b[<99u\u001b[=0u\u001b[>4m\u001b[>4f\u001b[2l\u001b[20l',
  '\u001b[?25h',
].join('');
