import { count } from './visible.ts';

/** Said in place of questions that are held back; `code` marks a command in the channel's own way. */
export function digestText(
  { held, shown }: { readonly held: number; readonly shown: number },
  code: (command: string) => string = (command) => `\`${command}\``,
): string {
  if (held === 0) return 'No more questions are held back.';
  return `${count(held)} more questions wait behind the ${count(shown)} above. They come as you answer; ${code('sallyport pending')} shows all.`;
}
