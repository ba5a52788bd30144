export { escapeHtml } from '../../shared/visible-text.ts';
export { describeEnd } from './ended-text.ts';
export { type FittedQuestion, fitEnd, fitQuestion } from './fitted-question.ts';
export { mailQuestion, mailSubject, questionHtml } from './mail.ts';
export { digestText, plainNotice } from './notice-text.ts';
export { describeOutcome } from './outcome-text.ts';
export { fileName, menuLines, plainEnd, plainQuestion } from './plain-text.ts';
export { OFFERED_MINUTES, viewQuestion } from './question-view.ts';
export { isReplyToken, replyToken } from './reply-token.ts';
export {
  idOfMessage,
  TELEGRAM_LIMIT,
  telegramEnd,
  telegramQuestion,
} from './telegram-html.ts';
export { firstCharacters } from './visible.ts';
