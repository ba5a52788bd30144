// Reads the terminal as whatever comes after a run would, and says what was there that it did not ask for.
process.stdin.setRawMode(true);
let read = '';
process.stdin.setEncoding('latin1').on('data', (text) => {
  read += text;
  // Answers come in the order of the questions: what came before the answer was for somebody else.
  if (!read.endsWith('\u001b[0n')) return;
  process.stdin.setRawMode(false);
  process.stdout.write(`LEFT${JSON.stringify(read.slice(0, -4))}\n`);
  process.exit();
});
process.stdout.write('\u001b[5n');
