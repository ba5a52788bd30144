import { SallyportError } from '@sallyport/protocol';
import { GrammyError } from 'grammy';
import type { Secret } from '../../../shared/secret.ts';
import { createTelegramApi, telegramError } from './telegram-api.ts';

/** Who the bot is, if its token is good and everybody has pressed Start. Rejects with what is wrong. */
export async function tryTelegram(options: {
  readonly token: Secret;
  readonly apiUrl: string;
  readonly identities: readonly string[];
  readonly signal: AbortSignal;
}): Promise<string> {
  const api = createTelegramApi(options.token, options.apiUrl);
  // `as`: the library types its own AbortSignal; the platform's is one
  const signal = options.signal as never;
  try {
    const { username } = await api.getMe(signal);
    for (const id of options.identities) {
      await api.getChat(Number(id), signal).catch((error: unknown) => {
        if (!(error instanceof GrammyError) || error.error_code !== 400) throw error;
        throw new SallyportError('Unavailable', {
          message: `@${username} knows nobody with the id ${id}`,
          hint: `open @${username} in Telegram and press Start; @userinfobot tells your id`,
        });
      });
    }
    return `@${username}`;
  } catch (error) {
    throw telegramError(error);
  }
}
