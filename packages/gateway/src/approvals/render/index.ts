export { describeEnd } from './ended-text.ts';
export { escapeHtml } from './html.ts';
export { type MailQuestion, mailQuestion, mailSubject, questionHtml } from './mail.ts';
export { MENU_LINES, MENU_RULE } from './menu-text.ts';
export { describeOutcome } from './outcome-text.ts';
export { fileName, type PlainTextOptions, plainEnd, plainQuestion } from './plain-text.ts';
export { OFFERED_MINUTES, type QuestionView, utcTime, viewQuestion } from './question-view.ts';
export { isReplyToken, replyToken, type TokenSubject } from './reply-token.ts';
export {
  idOfMessage,
  TELEGRAM_LIMIT,
  type TelegramQuestion,
  telegramEnd,
  telegramQuestion,
} from './telegram-html.ts';
export { count, firstCharacters, manyLines, oneLine } from './visible.ts';
